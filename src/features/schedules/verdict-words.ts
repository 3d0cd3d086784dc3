import type { GateReason, GateResult, ScheduleStart } from '#contract/schedules.ts'
import { pointsText } from '#src/format/numbers.ts'

const reasons: Record<GateReason, string> = {
  no_baseline: 'the first result, so there is nothing to compare with',
  no_counted_runs: 'no run has a verdict',
  budget_reached: 'the budget ended some of its runs',
  baseline_removed: 'retention removed runs of the baseline',
  unmatched: 'no variant in common with the baseline',
  too_few: 'too few runs to tell a drop from chance',
}

type Words = { text: string; detail: string; tone?: 'failed' }

/** The verdict of a gate: a few words, and the numbers behind them. */
export function verdictWords(gate: GateResult): Words {
  const { verdict, reason, difference, interval, pValue, isAccepted } = gate
  const numbers = [
    difference !== undefined && `${pointsText(difference)} points`,
    interval && `95 % CI ${pointsText(interval.low)} to ${pointsText(interval.high)}`,
    pValue !== undefined && `p ${pText(pValue)}`,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
  if (verdict === 'undecided') return { text: 'Inconclusive', detail: reason ? reasons[reason] : numbers }
  if (verdict === 'passed') return { text: 'No significant drop', detail: numbers }
  if (isAccepted) return { text: 'Drop, accepted', detail: numbers }
  return { text: 'Significant drop', detail: numbers, tone: 'failed' }
}

const pText = (p: number) => (p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`)

export const causeWords: Record<ScheduleStart['cause'], string> = {
  time: 'by its times',
  push: 'new version',
  person: 'manually',
}
