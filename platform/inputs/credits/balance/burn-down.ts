import type { CreditBalance } from '#contract/credits.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { Cycle } from '#platform/inputs/credits/account.ts'
import type { UnixMs } from '#platform/inputs/credits/billing-cycles.ts'
import { sumBuckets, sumByDay, sumOwed } from './store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The total balance in micros at the end of each UTC day of a cycle, and at `asOf`. */
export async function burnDown(
  tx: Database,
  organizationId: string,
  { cycle, asOf }: { cycle: Cycle; asOf: UnixMs },
): Promise<CreditBalance['burnDown']> {
  const before = await sumBuckets(tx, organizationId, cycle.startsAt)
  const changes = await sumByDay(tx, organizationId, { from: cycle.startsAt, until: Math.min(asOf + 1, cycle.endsAt) })
  let balance = before.reduce((sum, { micros }) => sum + micros, -(await sumOwed(tx, organizationId, cycle.startsAt)))
  const points = []
  for (let midnight = startOfDay(cycle.startsAt); midnight < asOf; midnight += dayMs) {
    balance += changes.get(new Date(midnight).toISOString().slice(0, 10)) ?? 0n
    const at = Math.min(midnight + dayMs, asOf)
    points.push({ at: toInstant(new Date(at)), balanceMicros: String(balance) })
  }
  return points
}

const startOfDay = (moment: UnixMs) => moment - (moment % dayMs)
