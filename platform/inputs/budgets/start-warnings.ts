import type { Services } from '#platform/ground/context/context.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { type Seen, warnOfBudgets } from './warn-of-budgets.ts'

const everyMs = 30_000

/** Warns of budgets while the platform runs. Returns a stop function, which resolves after the current pass. */
export function startBudgetWarnings(services: Pick<Services, 'db'>) {
  const seen: Seen = new Map()
  return repeat({
    everyMs,
    works: [{ run: () => warnOfBudgets(services, seen), fault: 'Budgets could not be checked' }],
  }).stop
}
