import type { Period } from '#contract/credits.ts'
import type { Database } from '#platform/database/open-database.ts'
import { notFound } from '#platform/failures/failure.ts'
import type { Cycle } from './account.ts'
import { findCycle, findCycleOfMonth } from './store.ts'

/**
 * The billing cycle a `period` names, in an account that has caught up: the current one, the one before it, or the last
 * that began in a UTC month. Errors: `not_found` when there is none.
 */
export async function chooseCycle(tx: Database, organizationId: string, period: Period = 'current'): Promise<Cycle> {
  const cycle = await findNamed(tx, organizationId, period)
  if (!cycle) throw notFound(`There is no billing cycle for the period ${period}`)
  return cycle
}

function findNamed(tx: Database, organizationId: string, period: Period) {
  if (period === 'current') return findCycle(tx, organizationId, 0)
  if (period === 'previous') return findCycle(tx, organizationId, 1)
  return findCycleOfMonth(tx, organizationId, period)
}
