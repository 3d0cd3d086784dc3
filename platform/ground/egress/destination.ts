import { isIP } from 'node:net'

import { type NetworkPolicy, parseAllowedHost } from '#contract/network-policy.ts'

/** The place a command asks for. `host` is lower-case, an address without brackets, and has no trailing dot. */
export type Destination = { host: string; port: number }

/**
 * Reads `host:port`. Returns null if it is malformed. URL rules apply, so that 0x7f.1 and 2130706433 become 127.0.0.1
 * and the check sees what other programs would dial.
 */
export function parseAuthority(authority: string, defaultPort?: number): Destination | null {
  const [, host = '', port] = /^(\[[0-9a-f:.]+\]|[^:/?#@\s\\]+)(?::(\d{1,5}))?$/i.exec(authority) ?? []
  const number = port === undefined ? defaultPort : Number(port)
  if (host === '' || number === undefined || number < 1 || number > 65_535) return null
  const url = URL.parse(`http://${host}/`)
  const name = url?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') ?? ''
  return name === '' || name.length > 253 ? null : { host: name, port: number }
}

export const authorityOf = ({ host, port }: Destination) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`

/** What is recorded in place of a text that cannot be shown. */
export const notAHostName = 'not a host name'

const defaultPorts: readonly number[] = [80, 443]

/** The ports of a host that a list of the definition allows. */
export function allowedPorts(allow: readonly string[], host: string): number[] {
  const ports = allow.flatMap((text) => {
    const allowed = parseAllowedHost(text)
    if (!allowed) return []
    const isHost = allowed.isWildcard ? host.endsWith(`.${allowed.host}`) : host === canonical(allowed.host)
    return isHost ? (allowed.port ?? defaultPorts) : []
  })
  return Array.from(new Set(ports))
}

/** Whether the definition lets a run reach this destination, apart from its address. */
export const policyAllows = (policy: NetworkPolicy, { host, port }: Destination): boolean =>
  typeof policy === 'boolean' ? policy : allowedPorts(policy.allow, host).includes(port)

/** Whether one of these hosts is the destination; a host without a port includes all of its ports. */
export const isListed = (hosts: readonly string[], { host, port }: Destination) =>
  hosts.some((text) => {
    const listed = parseAllowedHost(text)
    if (!listed || (listed.port !== null && listed.port !== port)) return false
    return listed.isWildcard ? host.endsWith(`.${listed.host}`) : host === canonical(listed.host)
  })

/** An address in a definition may be written in another way than the one a command asks for. */
const canonical = (host: string) => parseAuthority(host, 1)?.host ?? host
