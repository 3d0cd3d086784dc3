import { type Budget, createBudget } from '#platform/engine/model-gateway/budget.ts'

type ReadSpent = (requestId: string, signal: AbortSignal) => Promise<number>

/** The budgets of requests. The runs of a request share its budget for as long as one of them takes part. */
export function shareBudgets(readSpent: ReadSpent) {
  const shared = new Map<string, { budget: Budget; runs: Set<symbol> }>()
  return {
    /** `leave` may be called twice. */
    join(requestId: string, maxUsd: number): { budget: Budget; leave: () => void } {
      const budgetOf = () => createBudget(maxUsd, (signal) => readSpent(requestId, signal))
      const entry = shared.get(requestId) ?? { budget: budgetOf(), runs: new Set() }
      shared.set(requestId, entry)
      const run = Symbol(requestId)
      entry.runs.add(run)
      return {
        budget: entry.budget,
        leave() {
          if (entry.runs.delete(run) && entry.runs.size === 0) shared.delete(requestId)
        },
      }
    },
  }
}
