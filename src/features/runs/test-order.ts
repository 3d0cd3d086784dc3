import type { Outcome } from '#contract/outcomes.ts'
import type { CapturedTest } from '#contract/runs.ts'

const rank: Record<Outcome, number> = { failed: 0, errored: 1, unresolved: 2, passed: 3, skipped: 4 }

/** What needs a look comes first; within an outcome, the order in which the tests ran. */
export const failingFirst = (tests: readonly CapturedTest[]) =>
  tests.toSorted((a, b) => rank[a.outcome] - rank[b.outcome] || a.ordinal - b.ordinal)

export const needsALook = ({ outcome }: { outcome: Outcome }) => rank[outcome] < rank.passed

/** The failing test after (or before) the one open; wraps round. Null when every test is fine. */
export function neighborFailure(
  tests: readonly CapturedTest[],
  open: string | null,
  step: 1 | -1,
): CapturedTest | null {
  const failing = failingFirst(tests).filter(needsALook)
  const at = failing.findIndex(({ testName }) => testName === open)
  const next = at === -1 ? (step === 1 ? 0 : failing.length - 1) : (at + step + failing.length) % failing.length
  return failing[next] ?? null
}
