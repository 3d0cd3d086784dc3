import { isTerminal } from '#contract/run-status.ts'
import type { TestsOfRuns } from './use-request-tests.ts'

/**
 * The variants that have this test. Tasks of a benchmark have tests of their own, so variants on other tasks are left
 * out. A variant without any outcome stays, because its runs may have ended before this test, and so does a live one.
 */
export function groupsWithTest(
  { groups, tests, isCapped }: Pick<TestsOfRuns, 'groups' | 'tests' | 'isCapped'>,
  testName: string,
): TestsOfRuns['groups'] {
  if (isCapped) return groups
  const tested = new Set(tests.map(({ runId }) => runId))
  const withTest = new Set(tests.filter((test) => test.testName === testName).map(({ runId }) => runId))
  return groups.filter(
    ({ runs }) =>
      runs.some(({ id, status }) => withTest.has(id) || !isTerminal(status)) ||
      (runs.length > 0 && !runs.some(({ id }) => tested.has(id))),
  )
}
