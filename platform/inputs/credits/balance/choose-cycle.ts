import type { Period } from '#contract/credits.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import type { Cycle } from '#platform/inputs/credits/account.ts'
import { findCycle, findCycleOfMonth } from './store.ts'

/**
 * The billing cycle for a `period`, in an account that is up to date: the current cycle, the previous one, or the last
 * one that started in a UTC month. Errors: `not_found` when there is none.
 */
export async function chooseCycle(tx: Database, organizationId: string, period: Period = 'current'): Promise<Cycle> {
  const cycle = await findNamed(tx, organizationId, period)
  if (!cycle) throw notFound(`No billing cycle for the period ${period}`)
  return cycle
}

function findNamed(tx: Database, organizationId: string, period: Period) {
  if (period === 'current') return findCycle(tx, organizationId, 0)
  if (period === 'previous') return findCycle(tx, organizationId, 1)
  return findCycleOfMonth(tx, organizationId, period)
}
