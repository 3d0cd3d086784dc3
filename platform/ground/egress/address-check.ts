import { networkInterfaces } from 'node:os'

import ipaddr from 'ipaddr.js'

import type { EgressExceptions } from './egress-settings.ts'

/** Addresses of cloud services for the machine itself that look public. */
const metadataAddresses = new Set(['168.63.129.16'])

const publicIpv6 = ipaddr.IPv6.parse('2000::')

const kinds: Record<string, string> = {
  loopback: 'a loopback address',
  unspecified: 'the unspecified address',
  linkLocal: 'a link-local address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'a carrier-grade NAT address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  ipv4Mapped: 'an IPv4 address written as IPv6',
  '6to4': 'an IPv4 address written as IPv6',
  teredo: 'an IPv4 address written as IPv6',
  rfc6145: 'an IPv4 address written as IPv6',
  rfc6052: 'an IPv4 address written as IPv6',
}

/**
 * Returns what is wrong with an address as the end of "it is …", or null if it is public or the operator made an
 * exception for it. The check is of the address that is dialed, never of a name.
 */
export function addressFault(address: string, port: number, exceptions: EgressExceptions): string | null {
  if (!ipaddr.isValid(address)) return 'not an address'
  const parsed = ipaddr.parse(address)
  if (exceptions.allowsAddress(parsed, port)) return null
  const text = parsed.toString()
  if (text === '169.254.169.254' || metadataAddresses.has(text)) return 'the metadata address of a cloud machine'
  const range = parsed.range()
  if (range !== 'unicast') return kinds[range] ?? 'a reserved address'
  // Only this block holds public IPv6 addresses; the library calls some others unicast, such as ::7f00:1.
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(publicIpv6, 3)) return 'a reserved address'
  return isOwnAddress(text) ? 'an address of this machine' : null
}

const isOwnAddress = (text: string) =>
  Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => ipaddr.isValid(address) && ipaddr.parse(address).toString() === text),
  )
