import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

import { addressFault } from './address-check.ts'
import type { Destination } from './destination.ts'
import type { EgressExceptions, ResolveHost } from './egress-settings.ts'
import { isLocalName } from './local-names.ts'

/**
 * A destination that may not be reached. The message is a sentence for the run's record. `isOutage`: its name servers did
 * not answer.
 */
export class EgressRefusal extends Error {
  readonly isOutage: boolean

  constructor(message: string, { isOutage = false } = {}) {
    super(message)
    this.isOutage = isOutage
  }
}

/** Codes of name servers that answered: the name does not exist, or has no addresses. */
const answeredCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

const isAnswer = (error: unknown) => error instanceof Error && 'code' in error && answeredCodes.has(String(error.code))

/** Asks the name servers directly, because `lookup` blocks the threads that also read and write files. */
export const askNameServers: ResolveHost = async (host) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const failure = answers.find((answer) => answer.status === 'rejected' && !isAnswer(answer.reason))
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason
  return addresses
}

/** The operator's own hosts may be in the machine's hosts file. */
const lookUp: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

type Rules = {
  exceptions: EgressExceptions
  resolve: ResolveHost
  /** Behind the operator's proxy, only that proxy may know the name. */
  mayBeUnknown: boolean
}

/** `isExcepted` is set for a destination that the operator opened. */
type Resolved = { addresses: string[]; isExcepted: boolean }

/**
 * Returns the addresses to dial. They are never resolved again, so that a name cannot lead elsewhere after the check.
 * Throws EgressRefusal.
 */
export async function resolveDestination(
  { host, port }: Destination,
  { exceptions, resolve, mayBeUnknown }: Rules,
): Promise<Resolved> {
  const isNamed = exceptions.allowsHost(host, port)
  const faultOf = (address: string) => (isNamed ? null : addressFault(address, port, exceptions))
  const isExcepted = (address: string) => isNamed || exceptions.allowsAddress(ipaddr.parse(address), port)
  if (isIP(host) !== 0) {
    const fault = faultOf(host)
    if (fault !== null) throw new EgressRefusal(`It is ${fault}.`)
    return { addresses: [host], isExcepted: isExcepted(host) }
  }
  if (!isNamed && isLocalName(host)) throw new EgressRefusal('It is a local host name.')
  let isOutage = false
  const addresses = await (isNamed ? lookUp : resolve)(host).catch((error: unknown) => {
    isOutage = !isAnswer(error)
    return []
  })
  if (addresses.length === 0 && mayBeUnknown) return { addresses, isExcepted: false }
  if (addresses.length === 0) throw new EgressRefusal('The host name could not be resolved.', { isOutage })
  const usable = addresses.filter((address) => faultOf(address) === null)
  if (usable.length === 0) throw new EgressRefusal(`The host name resolves to ${faultOf(addresses[0] ?? '')}.`)
  return { addresses: usable, isExcepted: usable.every(isExcepted) }
}

/** Returns the addresses of a server that a definition chose. Throws EgressRefusal. */
export const addressesForService = (exceptions: EgressExceptions) => async (host: string, port: number) => {
  const destination = { host: host.replace(/^\[|\]$/g, ''), port }
  return (await resolveDestination(destination, { exceptions, resolve: askNameServers, mayBeUnknown: false })).addresses
}
