import type { Outcome } from '#contract/outcomes.ts'

type Ordered = { outcome: Outcome; ordinal: number }

const rank: Record<Outcome, number> = { failed: 0, errored: 1, unresolved: 2, passed: 3, skipped: 4 }

/** Failures first, then in the order in which the tests ran. */
export const failingFirst = <Test extends Ordered>(tests: readonly Test[]) =>
  tests.toSorted((a, b) => rank[a.outcome] - rank[b.outcome] || a.ordinal - b.ordinal)

export const needsAttention = ({ outcome }: { outcome: Outcome }) => rank[outcome] < rank.passed
