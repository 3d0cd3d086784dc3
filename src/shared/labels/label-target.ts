import type { Label } from '#contract/labels.ts'

/** What labels are about: a test, a turn, or else the run itself. */
export type LabelTarget = { testName?: string; turn?: number }

export const isAbout =
  ({ testName, turn }: LabelTarget) =>
  (label: Label) =>
    label.testName === testName && label.turn === turn

export const describeTarget = ({ testName, turn }: LabelTarget) =>
  testName !== undefined ? `test “${testName}”` : turn !== undefined ? `turn ${turn}` : 'this run'

/** The tags in the order in which they were first used, each with its labels. */
export const byTag = (labels: readonly Label[]) => [
  ...Map.groupBy(
    labels.filter(({ kind }) => kind === 'tag'),
    ({ text }) => text,
  ),
]

export const claimText = ({ claimedOutcome, createdBy }: Label) =>
  `Disputed: ${createdBy.name} says this run was ${claimedOutcome === 'solved' ? 'solved' : 'not solved'}.`
