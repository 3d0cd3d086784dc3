import type { LookupFunction } from 'node:net'

/** A lookup for connections that answers only with addresses that were checked before, so that no name is resolved again. */
export const pinAddresses =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, done) => {
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = all
    if (options.all) done(null, all)
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
