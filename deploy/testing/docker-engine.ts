import { type ExecFileException, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { waitForValue } from '#platform/program/testing/platform-process.ts'

const succeeds = (...args: string[]) => spawnSync('docker', args, { stdio: 'ignore' }).status === 0

const isRunning = succeeds('info')
const mayStart = process.getuid?.() === 0 && existsSync('/usr/sbin/dockerd')

/** Why no cluster can be started, or null. */
export const whyNoEngine = !succeeds('compose', 'version')
  ? 'Docker with Compose 2 is not installed'
  : isRunning || mayStart
    ? null
    : 'Docker does not answer, and only root can start one'

export type DockerEngine = Awaited<ReturnType<typeof openDockerEngine>>

/** The engine of this machine, or else one of our own in a temporary folder, which `close` removes with all it holds. */
export async function openDockerEngine() {
  const own = isRunning ? null : await startEngine()
  const env = { ...process.env, ...(own && { DOCKER_HOST: own.host }), DOCKER_BUILDKIT: '0' }

  /** Returns the output of a command; throws what it printed. */
  async function docker(...args: string[]) {
    const options = { env, maxBuffer: 64 * 1024 ** 2 }
    const { stdout } = await promisify(execFile)('docker', args, options).catch((error: unknown) => {
      const { message, stdout = '', stderr = '' } = error as ExecFileException
      throw new Error([message.split('\n')[0], stdout.slice(-4000), stderr.slice(-4000)].join('\n'))
    })
    return stdout.trim()
  }
  const has = (image: string) =>
    docker('image', 'inspect', image)
      .catch(() => docker('pull', image))
      .then(
        () => true,
        () => false,
      )
  return { docker, has, close: () => own?.stop() }
}

async function startEngine() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-docker-'))
  const host = `unix://${folder}/engine.sock`
  const places = ['data-root', 'exec-root', 'pidfile'].flatMap((name) => [`--${name}`, join(folder, name)])
  // Compose makes networks of its own, so the engine leaves those of the machine alone.
  const flags = ['--iptables=false', '--ip6tables=false', '--bridge=none', '--host', host, ...places]
  const engine = spawn('dockerd', flags, { stdio: 'ignore' })
  const ended = once(engine, 'exit')
  const stop = async () => {
    engine.kill('SIGTERM')
    await ended
    // The engine leaves its own network namespace mounted.
    spawnSync('umount', [join(folder, 'exec-root/netns/default')], { stdio: 'ignore' })
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const answers = async () => spawnSync('docker', ['--host', host, 'info'], { stdio: 'ignore' }).status === 0 || null
  await waitForValue(60, answers).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { host, stop }
}
