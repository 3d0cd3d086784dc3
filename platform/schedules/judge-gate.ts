import type { GateReason, GateResult, ScheduleGate } from '#contract/schedules.ts'
import { compareGroups } from '#statistics/compare-groups.ts'
import { sizesOf } from '#statistics/compare-strata.ts'
import { type Observation, toStratum } from '#statistics/match-cells.ts'
import { smallestPossibleP } from '#statistics/permutation.ts'
import type { RunOutcome, StartRow } from './starts-store.ts'

type Baseline = { start: StartRow; outcomes: readonly RunOutcome[]; isIncomplete: boolean }

/**
 * Compares the solved rate of a start with that of its baseline, variant by variant, like Compare does on the same
 * prompts. Runs that count for nothing are left out on both sides. Shares and differences are between -1 and 1.
 */
export function judgeGate(
  { significanceLevel }: ScheduleGate,
  outcomes: readonly RunOutcome[],
  baseline: Baseline | null,
): GateResult {
  const undecided = (reason: GateReason): GateResult => ({
    verdict: 'undecided',
    reason,
    significanceLevel,
    isAccepted: false,
    ...(baseline && { baseline: toBaseline(baseline.start) }),
  })
  if (outcomes.some(({ hitBudget }) => hitBudget)) return undecided('budget_reached')
  if (outcomes.every(({ solved }) => solved === null)) return undecided('no_counted_runs')
  if (!baseline) return undecided('no_baseline')
  if (baseline.isIncomplete) return undecided('baseline_removed')
  const comparison = compareGroups(outcomes.map(toObservation), baseline.outcomes.map(toObservation), {
    scope: 'these prompts',
    largest: 1,
  })
  const { cells, verdict, difference, interval, pValue } = comparison
  if (verdict === 'unmatched') return undecided('unmatched')
  const facts = {
    baseline: toBaseline(baseline.start),
    ...(difference !== null && { difference }),
    ...(interval && { interval }),
    significanceLevel,
    isAccepted: false,
  }
  if (
    pValue === null ||
    difference === null ||
    smallestPossibleP(cells.map((cell) => sizesOf(toStratum(cell)))) > significanceLevel
  )
    return { verdict: 'undecided', reason: 'too_few', ...facts }
  return { verdict: difference < 0 && pValue <= significanceLevel ? 'failed' : 'passed', pValue, ...facts }
}

const toObservation = ({ variantId, prompt, solved }: RunOutcome): Observation => ({
  cell: variantId,
  prompt,
  value: solved === null ? null : Number(solved),
})

const toBaseline = ({ id, startedAt, requestId }: StartRow) => ({
  startId: id,
  startedAt,
  ...(requestId !== null && { runRequestId: requestId }),
})
