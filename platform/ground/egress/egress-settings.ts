import ipaddr from 'ipaddr.js'

import { parseAllowedHost } from '#contract/network-policy.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Entry = { port: number | null } & ({ host: string } | { range: readonly [Address, number] })

/** Destinations that the operator opens although their address is not public. The definition must allow them too. */
export type EgressExceptions = {
  allowsHost: (host: string, port: number) => boolean
  allowsAddress: (address: Address, port: number) => boolean
}

/** Returns the addresses of a host name, or throws. */
export type ResolveHost = (host: string) => Promise<string[]>

/** The operator's settings for the network of runs. */
export type EgressSettings = {
  exceptions: EgressExceptions
  /** The only way out of this machine, if it has one. */
  upstream: URL | null
  /** The default asks the name servers of this machine. */
  resolve?: ResolveHost
}

const noExceptions: EgressExceptions = { allowsHost: () => false, allowsAddress: () => false }

export const noEgressSettings: EgressSettings = { exceptions: noExceptions, upstream: null }

/**
 * Reads EGRESS_ALLOW: host names, addresses or ranges, each with an optional port, separated by commas. Throws an Error
 * that names an invalid entry.
 */
export function parseEgressExceptions(text: string): EgressExceptions {
  const entries = text
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .map(parseEntry)
  return {
    allowsHost: (host, port) => entries.some((entry) => 'host' in entry && entry.host === host && fits(entry, port)),
    allowsAddress: (address, port) =>
      entries.some((entry) => 'range' in entry && isWithin(address, entry.range) && fits(entry, port)),
  }
}

const fits = (entry: Entry, port: number) => entry.port === null || entry.port === port

function isWithin(address: Address, [start, bits]: readonly [Address, number]) {
  if (address instanceof ipaddr.IPv4 && start instanceof ipaddr.IPv4) return address.match(start, bits)
  return address instanceof ipaddr.IPv6 && start instanceof ipaddr.IPv6 && address.match(start, bits)
}

function parseEntry(entry: string): Entry {
  const [, range = '', bits = '', port] = /^\[?([0-9a-f.:]+?)\]?\/(\d{1,3})(?::(\d{1,5}))?$/i.exec(entry) ?? []
  if (ipaddr.isValidCIDR(`${range}/${bits}`))
    return { range: ipaddr.parseCIDR(`${range}/${bits}`), port: port === undefined ? null : Number(port) }
  const allowed = parseAllowedHost(entry)
  if (!allowed || allowed.isWildcard)
    throw new Error(`${entry} must be a host, an address or a range such as 10.1.0.0/16, with an optional :port`)
  const address = allowed.host.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(address)) return { host: allowed.host, port: allowed.port }
  const parsed = ipaddr.parse(address)
  return { range: [parsed, parsed.kind() === 'ipv4' ? 32 : 128], port: allowed.port }
}
