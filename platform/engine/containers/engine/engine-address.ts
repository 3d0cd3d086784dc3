import { existsSync } from 'node:fs'

/** Where Docker and Podman listen by default. */
const usualSockets = ['/var/run/docker.sock', '/run/podman/podman.sock']

/**
 * Returns the path of the engine's Unix socket. Throws an Error for an engine on another machine: containers share
 * folders and networks with this worker.
 */
export function readEngineAddress(dockerHost: string | undefined, exists: (path: string) => boolean = existsSync) {
  if (dockerHost === undefined || dockerHost === '')
    return usualSockets.find((path) => exists(path)) ?? '/var/run/docker.sock'
  const path = /^unix:\/\/(\/.+)$/.exec(dockerHost)?.[1]
  if (path === undefined) throw new Error('must be a Unix socket of this machine, such as unix:///var/run/docker.sock')
  return path
}
