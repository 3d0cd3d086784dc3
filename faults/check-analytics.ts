import type { Violation } from './violation.ts'

/** A finished run as one of the databases has it. */
export type FinishedRun = { id: string; status: string; outcomes: string; tests: number; turns: number; tags: string }

const facts = ['status', 'outcomes', 'tests', 'turns', 'tags'] as const

/** Analytics must have exactly the finished runs of the state database, with the same facts. */
export function checkAnalytics(state: readonly FinishedRun[], analytics: readonly FinishedRun[]): Violation[] {
  const inAnalytics = Map.groupBy(analytics, ({ id }) => id)
  const inState = new Set(state.map(({ id }) => id))
  const wrong = (text: string): Violation => ({ kind: 'analytics', text })
  const strangers = analytics.filter(({ id }) => !inState.has(id))
  return [
    ...strangers.map(({ id }) => wrong(`Analytics has run ${id}, which is not finished`)),
    ...state.flatMap((run) => {
      const copies = inAnalytics.get(run.id) ?? []
      const [copy] = copies
      if (!copy) return [wrong(`Analytics lacks run ${run.id} (${run.status})`)]
      if (copies.length > 1) return [wrong(`Analytics has run ${run.id} ${copies.length} times`)]
      return facts
        .filter((fact) => copy[fact] !== run[fact])
        .map((fact) => wrong(`Analytics has ${fact} ${copy[fact]} of run ${run.id} instead of ${run[fact]}`))
    }),
  ]
}
