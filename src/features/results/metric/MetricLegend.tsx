import type { ChartMeasure } from '#contract/charts.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import classes from '#src/features/results/view/ResultsTab.module.css'
import { intervalWords } from '#src/shared/leaderboard/interval-words.ts'
import type { Scope } from '#statistics/scope.ts'
import { type RateMetric, rateOfMetric } from './metric-parameters.ts'

type Props = { metric: ChartMeasure; scope: Scope | null; isChart: boolean; hasZeros: boolean; hasCut: boolean }

const meanings: Record<Exclude<RateMetric, ScoreMeasure>, string> = {
  solved: 'Share of runs in which every test passed',
  passRate: 'Mean share of tests that pass in a run',
  toolFailureRate: 'Mean share of tool calls that fail in a run, over runs with tool calls',
}

const meaningOf = (rate: RateMetric) => {
  const name = scoreNameOf(rate)
  return name === null ? meanings[rate as keyof typeof meanings] : `Mean of ${name}, over runs with a known value`
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Says what the marks and the intervals of a metric mean. */
export function MetricLegend({ metric, scope, isChart, hasZeros, hasCut }: Props) {
  const rate = rateOfMetric(metric)
  if (rate && scope)
    return (
      <p className={classes.legend}>
        <span>
          {isChart && 'Dot: '}
          {isChart ? lowerFirst(meaningOf(rate)) : meaningOf(rate)}
        </span>
        <span>{isChart ? intervalWords[scope] : intervalWords[scope].replace('Whiskers: ', '')}</span>
      </p>
    )
  const cut = '≥: a time limit or a person ended runs that would have taken longer, so only a lower bound is known'
  if (!isChart) return hasCut ? <p className={classes.legend}>{cut}</p> : null
  return (
    <p className={classes.legend}>
      <span>Box: middle 50 %</span>
      <span>Line: median</span>
      <span>Circle: mean</span>
      <span>Whiskers: 1.5 × IQR</span>
      {hasCut && <span>{cut}</span>}
      {hasZeros && <span>Zero has no place on a log scale, so it is drawn at the left edge</span>}
    </p>
  )
}
