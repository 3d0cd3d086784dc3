import { isIP, type Socket } from 'node:net'

import type { NetworkPolicy } from '#contract/network-policy.ts'
import { allowedPorts, type Destination, isListed, notAHostName, parseAuthority } from './destination.ts'

/** A host that has an address of its own in the network of a command. */
export type NamedHost = {
  name: string
  /** In 127.64.0.0/16, the same for all commands of a run. */
  address: string
  ports: readonly number[]
  onConnection: (port: number, connection: Socket) => void
}

/** The hosts that programs reach by name, without a proxy. */
export type NamedHosts = {
  /** Returns null for a name that the run may not reach, or one too many. Asks no name server. */
  find: (name: string) => NamedHost | null
  /** Records that a name, or one of its ports, cannot be reached. */
  refused: (name: string, port: number, reason: string) => void
}

/** Where the name server of a command listens. */
export const nameServerAddress = '127.64.0.1'

/** The content of /etc/resolv.conf. */
export const resolverSettings = `nameserver ${nameServerAddress}\n`

/** Names of one run that get an address. */
const maxNames = 128

type Rules = {
  policy: NetworkPolicy
  blockedHosts: readonly string[]
  onConnection: (destination: Destination, connection: Socket) => void
  refused: (destination: Destination, reason: string) => void
}

/**
 * Gives addresses to the names that a list allows, when a command first asks. Null without a list: with every public
 * address allowed, the ports are unknown, and a listener on each would take it from the run's own servers.
 */
export function openNamedHosts({ policy, blockedHosts, onConnection, refused }: Rules): NamedHosts | null {
  if (typeof policy === 'boolean') return null
  const hosts = new Map<string, NamedHost>()
  const whyNot = (name: string, ports: readonly number[]) => {
    if (ports.length === 0) return 'The environment or the run policy does not allow this host.'
    return hosts.size >= maxNames ? `The run looked up more than ${maxNames} names.` : null
  }
  return {
    find(name) {
      const known = hosts.get(name)
      if (known) return known
      const ports = portsOf(name, policy.allow, blockedHosts)
      const reason = whyNot(name, ports)
      if (reason !== null) {
        refused({ host: recordedName(name), port: 0 }, reason)
        return null
      }
      const number = hosts.size + 2
      const host: NamedHost = {
        name,
        address: `127.64.${number >> 8}.${number & 255}`,
        ports,
        onConnection: (port, connection) => onConnection({ host: name, port }, connection),
      }
      hosts.set(name, host)
      return host
    },
    refused: (host, port, reason) => refused({ host, port }, reason),
  }
}

/** Bytes that no host name has could be a secret, in a form that cannot be masked. */
const recordedName = (name: string) => (name.includes('\\') ? notAHostName : name)

function portsOf(name: string, allow: readonly string[], blockedHosts: readonly string[]) {
  // A name that a URL would read in another way, such as 0x7f.1, is none.
  if (isIP(name) !== 0 || parseAuthority(name, 1)?.host !== name) return []
  return allowedPorts(allow, name).filter((port) => !isListed(blockedHosts, { host: name, port }))
}
