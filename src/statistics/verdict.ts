import type { Interval } from './bootstrap.ts'
import type { Precision } from './samples.ts'

/** A verdict is never given where `smallestPossibleP` or the interval does not allow it. */
export const significance = 0.05

/**
 * - `differs`: zero is outside the interval;
 * - `unresolved`: it is inside;
 * - `identical`: every run of both groups has its cell's one value, so there is nothing to tell apart;
 * - `too few`: no outcome of so few runs, or prompts, could be told from chance;
 * - `unmatched`: the groups have no cell in common.
 */
type Verdict = 'differs' | 'unresolved' | 'identical' | 'too few' | 'unmatched'

/** What a comparison found; the p-value comes from the model of the interval. */
export type Finding = {
  verdict: Verdict
  /** Left minus right. */
  difference: number | null
  /** 95 %; null where too few runs, or none that varies, leave nothing to compute it from. */
  interval: Interval | null
  pValue: number | null
  precision: Precision | null
}

export const verdictAt = (pValue: number): Verdict => (pValue < significance ? 'differs' : 'unresolved')

/** No interval reaches further than two means can be apart. */
export const clampInterval = ({ low, high }: Interval, largest: number): Interval => ({
  low: Math.max(low, -largest),
  high: Math.min(high, largest),
})
