import { isSolved } from '#contract/outcomes.ts'
import { isTerminal } from '#contract/run-status.ts'
import type { Run } from '#contract/runs.ts'
import { comparisonSentence } from '#src/format/comparison-sentence.ts'
import { percent } from '#src/format/numbers.ts'
import { measureOf } from '#src/features/results/view/measures.ts'
import { type Comparison, compareGroups } from '#statistics/compare-groups.ts'
import { type Rate, rateOf } from '#statistics/leaderboard/rate-interval.ts'
import type { Observation } from '#statistics/match-cells.ts'
import { summarize } from '#statistics/run-summary.ts'

/** `broken`: no run says anything about the change. */
export type Judgment = { outcome: 'passed' | 'worse' | 'undecided' | 'broken'; sentences: string[] }

export type Limits = {
  /** Shares from 0 to 1. */
  maxDrop: number
  minSolved: number | null
  acceptsDrop: boolean
}

export type Baseline = { name: string; runs: readonly Run[] }

/**
 * Judges the runs of a change against those of a baseline, on the variants that both have, by the comparison of the
 * product. A difference without a verdict decides nothing.
 */
export function judgeChange(runs: readonly Run[], baseline: Baseline | null, limits: Limits): Judgment {
  const values = toObservations(runs)
  if (values.length === 0)
    return { outcome: 'broken', sentences: ['No run counts: all were canceled, have no tests, or are left out.'] }
  const rate = rateOf([...Map.groupBy(values, ({ cell }) => cell).values()].map(summarizeCell), 'these prompts')
  const judgments = [judgeRate(rate, limits), judgeDrop(values, baseline, limits), judgeBudget(runs)]
  const order = ['worse', 'undecided', 'passed'] as const
  const outcome = order.find((each) => judgments.some((judgment) => judgment.outcome === each)) ?? 'passed'
  return { outcome, sentences: judgments.flatMap(({ sentences }) => sentences) }
}

const toObservations = (runs: readonly Run[]): Observation[] =>
  runs.flatMap((run) => {
    const solved = isTerminal(run.status) && !run.testAware ? isSolved(run, run.outcomes) : null
    return solved === null ? [] : [{ cell: run.variantId, prompt: run.prompt, value: solved ? 1 : 0 }]
  })

const summarizeCell = (cell: readonly Observation[]) => summarize(cell.flatMap(({ value }) => value ?? []))

function judgeRate({ share, interval, runs }: Rate, { minSolved }: Limits): Judgment {
  const range = interval ? ` (95 % CI ${percent(interval.low, 1)} to ${percent(interval.high, 1)})` : ''
  const rate = `Solved ${percent(share, 1)} of ${runs} runs${range}.`
  if (minSolved === null) return { outcome: 'passed', sentences: [rate] }
  const least = percent(minSolved, 1)
  if (interval && interval.low >= minSolved)
    return { outcome: 'passed', sentences: [`${rate} At least ${least} is proven.`] }
  if (interval && interval.high < minSolved)
    return { outcome: 'worse', sentences: [`${rate} Less than ${least} is proven.`] }
  return { outcome: 'undecided', sentences: [`${rate} Whether it is at least ${least} is not proven.`] }
}

function judgeDrop(values: readonly Observation[], baseline: Baseline | null, limits: Limits): Judgment {
  if (!baseline) return { outcome: 'passed', sentences: [] }
  const comparison = compareGroups(values, toObservations(baseline.runs), { scope: 'these prompts', largest: 1 })
  const names = { left: 'this change', right: baseline.name, words: measureOf('solved').words }
  const sentence = comparisonSentence(comparison, names)
  const said = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  const outcome = outcomeOf(comparison, limits)
  const points = `${Number((limits.maxDrop * 100).toFixed(1))} points`
  const why = outcome === 'undecided' ? [`A drop of more than ${points} is not ruled out.`] : []
  return { outcome, sentences: [said, ...why] }
}

function outcomeOf(comparison: Comparison, { maxDrop, acceptsDrop }: Limits): Judgment['outcome'] {
  const { verdict, difference, interval, bound } = comparison
  if (difference === null || verdict === 'too few' || verdict === 'unmatched') return 'undecided'
  const lowest = interval?.low ?? (bound === null ? null : difference - bound)
  const isRuledOut = lowest !== null && lowest >= -maxDrop
  if (verdict === 'differs' && difference > 0) return 'passed'
  if (verdict === 'differs') return acceptsDrop && isRuledOut ? 'passed' : 'worse'
  return isRuledOut ? 'passed' : 'undecided'
}

/** Runs that a budget or a person ended say nothing about the change. */
function judgeBudget(runs: readonly Run[]): Judgment {
  const cut = runs.filter(({ status, costLimit }) => status === 'canceled' || costLimit?.reached === 'request').length
  if (cut === 0) return { outcome: 'passed', sentences: [] }
  return { outcome: 'undecided', sentences: [`${cut} of ${runs.length} runs were ended by the budget or canceled.`] }
}
