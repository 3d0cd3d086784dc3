import type { Services } from '#platform/ground/context/context.ts'
import { repeatWork } from '#platform/ground/context/repeat-work.ts'
import { type Seen, warnOfBudgets } from './warn-of-budgets.ts'

const everyMs = 30_000

/** Warns of budgets while the platform runs. Returns a stop function, which resolves after the current pass. */
export function startBudgetWarnings(services: Pick<Services, 'db'>) {
  const seen: Seen = new Map()
  return repeatWork(everyMs, [{ run: () => warnOfBudgets(services, seen), fault: 'Budgets could not be checked' }])
}
