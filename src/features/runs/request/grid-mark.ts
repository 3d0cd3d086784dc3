import { countedTests } from '#contract/outcomes.ts'
import type { Run } from '#contract/runs.ts'
import { type StatusMark, describeCounts, outcomeMarks, runStatusMarks } from '#src/ui/status-marks.ts'

/** A finished run is marked by what its tests came to, any other by its status. */
export function gridMark(run: Run): StatusMark {
  const { status, outcomes } = run
  const label = `${run.variantId}, repeat ${run.repeat}: ${runStatusMarks[status].label.toLowerCase()}`
  if (status !== 'completed') return { ...runStatusMarks[status], label }
  const withTests = `${label}, ${describeCounts(outcomes)}`
  if (countedTests(outcomes) === 0) return { ...runStatusMarks.completed, label: withTests }
  const worst = (['failed', 'errored', 'unresolved'] as const).find((outcome) => outcomes[outcome] > 0) ?? 'passed'
  return { ...outcomeMarks[worst], label: withTests }
}
