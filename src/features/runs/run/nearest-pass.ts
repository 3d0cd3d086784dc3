import type { Run } from '#contract/runs.ts'
import type { RequestTests } from './use-request-tests.ts'

/** A run where this test passed, to hold a failing one against: another repeat of the same variant before any other. */
export function nearestPass(
  { groups, tests }: Pick<RequestTests, 'groups' | 'tests'>,
  run: Pick<Run, 'id' | 'variantId'>,
  testName: string,
): Run | null {
  const passed = new Set(
    tests.filter((test) => test.testName === testName && test.outcome === 'passed').map(({ runId }) => runId),
  )
  const candidates = groups.flatMap(({ runs }) => runs.filter(({ id }) => id !== run.id && passed.has(id)))
  return candidates.find(({ variantId }) => variantId === run.variantId) ?? candidates[0] ?? null
}
