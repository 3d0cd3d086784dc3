import type { Run } from '#contract/runs.ts'
import type { TestsOfRuns } from './use-request-tests.ts'

/** A run that passed this test, to compare with a failed one. Prefers another repeat of the same variant. */
export function nearestPass(
  { groups, tests }: Pick<TestsOfRuns, 'groups' | 'tests'>,
  run: Pick<Run, 'id' | 'variantId'>,
  testName: string,
): Run | null {
  const passed = new Set(
    tests.filter((test) => test.testName === testName && test.outcome === 'passed').map(({ runId }) => runId),
  )
  const candidates = groups.flatMap(({ runs }) => runs.filter(({ id }) => id !== run.id && passed.has(id)))
  return candidates.find(({ variantId }) => variantId === run.variantId) ?? candidates[0] ?? null
}
