import type { GateReason, GateResult, ScheduleGate } from '#contract/schedule-gate.ts'
import { findDecline } from '#statistics/watch/decline.ts'
import { type CountsByCell, findDrop, poolCounts } from '#statistics/watch/drop.ts'
import type { StartRow } from './starts-store.ts'

/** A start and the runs of it that count, by variant. */
export type CountedStart = { start: StartRow; counts: CountsByCell }

/** The starts of a baseline, newest first. `isRemoved`: there were some, but retention removed runs of each. */
type Baseline = { starts: readonly CountedStart[]; isRemoved: boolean }

type Judged = CountedStart & {
  hitBudget: boolean
  hasCanceled: boolean
  baseline: Baseline
  /** Earlier starts over which a decline is looked for, oldest first. */
  earlier: readonly CountedStart[]
}

/**
 * Compares the solved rate of a start with the pooled runs of its baseline, variant by variant, like Compare does on the
 * same prompts, and looks for a decline. Runs that count for nothing are left out on both sides. `failed` means a drop,
 * which the caller suspects or confirms.
 */
export function judgeGate({ significanceLevel }: ScheduleGate, judged: Judged): GateResult {
  const { counts, hitBudget, hasCanceled, baseline, earlier } = judged
  const [newest] = baseline.starts
  const facts = {
    significanceLevel,
    isAccepted: false,
    ...(newest && { baseline: { ...toBaseline(newest.start), starts: baseline.starts.length } }),
  }
  const undecided = (reason: GateReason): GateResult => ({ verdict: 'undecided', reason, ...facts })
  if (hitBudget) return undecided('budget_reached')
  if (counts.size === 0) return undecided('no_counted_runs')
  // The runs that end before a cancellation are the quick ones, and no sample of all.
  if (hasCanceled) return undecided('canceled')
  const decline = declineOf([...earlier, judged], significanceLevel)
  if (!newest) return { ...undecided(baseline.isRemoved ? 'baseline_removed' : 'no_baseline'), ...decline }
  const found = findDrop(counts, poolCounts(baseline.starts.map((each) => each.counts)), significanceLevel)
  if (found.kind === 'unmatched') return { ...undecided('unmatched'), ...decline }
  const { difference, interval } = found
  const numbers = { ...facts, ...decline, difference, ...(interval && { interval }) }
  if (found.kind === 'too few') return { verdict: 'undecided', reason: 'too_few', ...numbers }
  return { verdict: found.kind === 'drop' ? 'failed' : 'passed', pValue: found.pValue, ...numbers }
}

function declineOf(starts: readonly CountedStart[], significanceLevel: number): Pick<GateResult, 'decline'> {
  const decline = findDecline(
    starts.map(({ counts }) => counts),
    significanceLevel,
  )
  const first = decline && starts[decline.first]
  if (!first) return {}
  const { starts: number, slope: perStart, pValue } = decline
  return { decline: { since: first.start.startedAt, starts: number, perStart, pValue } }
}

const toBaseline = ({ id, startedAt, requestId }: StartRow) => ({
  startId: id,
  startedAt,
  ...(requestId !== null && { runRequestId: requestId }),
})
