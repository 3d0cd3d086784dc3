import type { Services } from '#platform/context/context.ts'
import { type Seen, warnOfBudgets } from './warn-of-budgets.ts'

const everyMs = 30_000

/** Warns of budgets while the platform runs. Returns a stop function, which resolves after the current pass. */
export function startBudgetWarnings(services: Pick<Services, 'db'>) {
  const seen: Seen = new Map()
  let working = Promise.resolve()
  const pass = async () => {
    try {
      await warnOfBudgets(services, seen)
    } catch (error) {
      console.error('Budgets could not be checked. The next attempt is in 30 s:', error)
    }
  }
  const timer = setInterval(() => void (working = working.then(pass)), everyMs).unref()
  return () => {
    clearInterval(timer)
    return working
  }
}
