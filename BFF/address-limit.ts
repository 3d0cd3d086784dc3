import { Refusal } from './refusal.ts'

const windowMs = 60_000
const rememberedAddresses = 10_000

/**
 * Limits how often one address can do something per minute; then it has to wait. `tooMany` is the start of the error
 * message.
 */
export function createAddressLimit({ allowed, tooMany }: { allowed: number; tooMany: string }) {
  const counts = new Map<string, { count: number; since: number }>()

  const recent = (address: string) => {
    const entry = counts.get(address)
    return entry && Date.now() - entry.since < windowMs ? entry : undefined
  }

  return {
    check(address: string) {
      const entry = recent(address)
      if (!entry || entry.count < allowed) return
      const seconds = Math.ceil((entry.since + windowMs - Date.now()) / 1000)
      throw new Refusal('resource_exhausted', `${tooMany}; try again in ${seconds} seconds`, {
        'retry-after': String(seconds),
      })
    },

    count(address: string) {
      const entry = recent(address) ?? { count: 0, since: Date.now() }
      entry.count += 1
      counts.delete(address)
      counts.set(address, entry)
      const [oldest] = counts.keys()
      if (counts.size > rememberedAddresses && oldest !== undefined) counts.delete(oldest)
    },
  }
}
