import { Refusal } from '#bff/refusal.ts'

const windowMs = 60_000
const allowedFailures = 10
const rememberedAddresses = 10_000

/** Slows down guessing: ten failed sign-ins a minute from one address, then it has to wait. */
export function createSignInLimit() {
  const failures = new Map<string, { count: number; since: number }>()

  const recent = (address: string) => {
    const entry = failures.get(address)
    return entry && Date.now() - entry.since < windowMs ? entry : undefined
  }

  return {
    check(address: string) {
      const entry = recent(address)
      if (!entry || entry.count < allowedFailures) return
      const seconds = Math.ceil((entry.since + windowMs - Date.now()) / 1000)
      throw new Refusal('resource_exhausted', `Too many failed sign-ins; try again in ${seconds} seconds`, {
        'retry-after': String(seconds),
      })
    },

    recordFailure(address: string) {
      const entry = recent(address) ?? { count: 0, since: Date.now() }
      entry.count += 1
      failures.delete(address)
      failures.set(address, entry)
      const [oldest] = failures.keys()
      if (failures.size > rememberedAddresses && oldest !== undefined) failures.delete(oldest)
    },
  }
}
