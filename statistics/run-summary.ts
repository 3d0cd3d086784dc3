import { meanOf, varianceOf } from './moments.ts'

/**
 * The runs of one group on one prompt, or in one cell: how many, their mean, and their variance (n − 1; null for one run).
 * `task`: what the prompt is a variant of, where any prompt names its task.
 */
export type RunSummary = { runs: number; mean: number; variance: number | null; task?: string | undefined }

export const summarize = (values: readonly number[]): RunSummary => ({
  runs: values.length,
  mean: meanOf(values),
  variance: values.length > 1 ? varianceOf(values) : null,
})

/** Runs of which some are solved: each has the value 1 or 0. */
export function summarizeSolved({ runs, solved, task }: { runs: number; solved: number; task?: string | undefined }) {
  const mean = solved / runs
  const variance = runs > 1 ? (mean * (1 - mean) * runs) / (runs - 1) : null
  return { runs, mean, variance, ...(task !== undefined && { task }) } satisfies RunSummary
}

/** Whether each run has the value 0 or 1. Then, and hardly ever otherwise, the variance follows from the mean. */
export function isBinary({ runs, mean, variance }: RunSummary) {
  if (variance === null) return mean === 0 || mean === 1
  const expected = (mean * (1 - mean) * runs) / (runs - 1)
  return Math.abs(variance - expected) <= 1e-9
}

/** With more runs of the same mean. */
export function withMoreRuns<Summary extends RunSummary>(summary: Summary, added: number): Summary {
  const { mean } = summary
  const runs = summary.runs + added
  return isBinary(summary) && runs > 1
    ? { ...summary, runs, variance: (mean * (1 - mean) * runs) / (runs - 1) }
    : { ...summary, runs }
}

/** Whether no run differs from another. */
export const isAlike = ({ variance }: RunSummary) => variance === null || variance === 0
