import type { Outcome } from '#contract/outcomes.ts'
import type { FoundRun, FoundTest } from '#platform/program/import-formats/reading/found-run.ts'

const counts = ({ outcome }: FoundTest) => outcome !== 'skipped'
const passes = (tests: readonly FoundTest[]) => tests.some(counts) && tests.filter(counts).every(isPassed)
const isPassed = ({ outcome }: FoundTest) => outcome === 'passed'

const words: Record<Exclude<Outcome, 'passed' | 'skipped'>, string> = {
  failed: 'failed',
  errored: 'could not run',
  unresolved: 'had no result',
}

/**
 * The tests of a run, so that all of them pass exactly if its tool says that the run solved its task. Tools can accept a
 * run although a test failed: such a test is skipped, and says so.
 */
export function withVerdict({ tests = [], solved }: Pick<FoundRun, 'tests' | 'solved'>): readonly FoundTest[] {
  if (solved === undefined) return tests
  if (solved === null) return tests.map((test) => (counts(test) ? uncounted(test, 'the tool gave no verdict') : test))
  if (passes(tests) === solved) return tests
  if (!solved) return [...tests, { name: '(verdict)', outcome: 'failed', message: 'The tool says: not solved' }]
  const accepted = tests.map((test) =>
    counts(test) && !isPassed(test) ? uncounted(test, 'the tool says: solved') : test,
  )
  if (passes(accepted)) return accepted
  return [...accepted, { name: '(verdict)', outcome: 'passed', message: 'The tool says: solved' }]
}

function uncounted(test: FoundTest, why: string): FoundTest {
  const word = test.outcome === 'passed' || test.outcome === 'skipped' ? 'passed' : words[test.outcome]
  return {
    ...test,
    outcome: 'skipped',
    message: [`This test ${word}, but does not count: ${why}`, test.message].filter(Boolean).join('\n'),
  }
}
