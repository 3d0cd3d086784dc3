import type { OutcomeCounts } from '#contract/outcomes.ts'

/** At least one test passed, and every other test passed or was skipped. `filter-store.ts` has the same rule in SQL. */
export const isSolved = ({ passed, failed, unresolved, errored }: OutcomeCounts) =>
  passed > 0 && failed + unresolved + errored === 0
