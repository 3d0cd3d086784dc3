import type { GateReason, GateResult } from '#contract/schedule-gate.ts'
import type { ScheduleStart } from '#contract/schedules.ts'
import { calendarDay } from '#src/format/dates.ts'
import { pointsText } from '#src/format/numbers.ts'

const reasons: Record<GateReason, string> = {
  suspected: 'the same runs are being run again',
  not_run_again: 'not confirmed',
  no_baseline: 'the first result, so there is nothing to compare with',
  no_counted_runs: 'no run has a verdict',
  budget_reached: 'the budget ended some of its runs',
  canceled: 'some of its runs were canceled',
  baseline_removed: 'retention removed runs of the baseline',
  unmatched: 'no variant in common with the baseline',
  too_few: 'too few runs to tell a drop from chance',
}

type Words = { text: string; detail: string; tone?: 'failed' | 'suspected' }

type Numbers = Pick<GateResult, 'difference' | 'interval' | 'pValue'>

const numbersText = ({ difference, interval, pValue }: Numbers) =>
  [
    difference !== undefined && `${pointsText(difference)} points`,
    interval && `95 % CI ${pointsText(interval.low)} to ${pointsText(interval.high)}`,
    pValue !== undefined && `p ${pText(pValue)}`,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')

/** The verdict of a gate: a few words, and the numbers behind them. */
export function verdictWords(gate: GateResult): Words {
  const { verdict, reason, confirmation, isAccepted } = gate
  const numbers = numbersText(gate)
  if (reason === 'suspected') return { text: 'Suspected drop, being run again', detail: numbers, tone: 'suspected' }
  if (reason === 'not_run_again')
    return {
      text: 'Suspected drop, not confirmed',
      detail: `${numbers}. No second result: ${confirmation?.missingBecause ?? reasons.not_run_again}`,
      tone: 'suspected',
    }
  if (verdict === 'undecided') return { text: 'Inconclusive', detail: reason ? reasons[reason] : numbers }
  const both = confirmation ? `${numbers}. Run again: ${numbersText(confirmation)}` : numbers
  if (verdict === 'passed')
    return { text: confirmation ? 'Suspected drop, not confirmed' : 'No significant drop', detail: both }
  if (isAccepted) return { text: 'Drop, accepted', detail: both }
  return { text: confirmation ? 'Drop, confirmed' : 'Significant drop', detail: both, tone: 'failed' }
}

/** What a start that runs another one again says about that one's drop. */
function confirmationWords(gate: GateResult): Words {
  const words = verdictWords(gate)
  if (gate.verdict === 'passed') return { text: 'Does not confirm the drop', detail: words.detail }
  if (gate.verdict === 'failed') return { ...words, text: 'Confirms the drop' }
  return words
}

/** The words for a start: its own verdict, or what it says about the start that it runs again. */
export const startWords = (gate: GateResult, confirmsStartId: ScheduleStart['confirmsStartId']): Words =>
  confirmsStartId === undefined ? verdictWords(gate) : confirmationWords(gate)

/** A slow decline, in one sentence. */
export const declineText = ({ since, starts, perStart, pValue }: NonNullable<GateResult['decline']>) =>
  `Declining since ${calendarDay(since)}: ${pointsText(perStart)} points per start over ${starts} starts, p ${pText(pValue)}`

const pText = (p: number) => (p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`)

export const causeWords: Record<ScheduleStart['cause'], string> = {
  time: 'by its times',
  push: 'new version',
  person: 'manually',
  confirmation: 'to confirm a drop',
}
