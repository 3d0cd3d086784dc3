import type { ChartMetric } from '#contract/charts.ts'
import classes from '#src/features/results/view/ResultsTab.module.css'
import { intervalWords } from '#src/leaderboard/interval-words.ts'
import type { Scope } from '#statistics/scope.ts'
import { type RateMetric, rateOfMetric } from './metric-parameters.ts'

type Props = { metric: ChartMetric; scope: Scope | null; isChart: boolean; hasZeros: boolean }

const meanings: Record<RateMetric, string> = {
  solved: 'Share of runs in which every test passed',
  passRate: 'Mean share of tests that pass in a run',
  toolFailureRate: 'Mean share of tool calls that fail in a run, over runs with tool calls',
}

/** Says what the marks and the intervals of a metric mean. */
export function MetricLegend({ metric, scope, isChart, hasZeros }: Props) {
  const rate = rateOfMetric(metric)
  if (rate && scope)
    return (
      <p className={classes.legend}>
        <span>
          {isChart && 'Dot: '}
          {isChart ? meanings[rate].toLowerCase() : meanings[rate]}
        </span>
        <span>{isChart ? intervalWords[scope] : intervalWords[scope].replace('Whiskers: ', '')}</span>
      </p>
    )
  if (!isChart) return null
  return (
    <p className={classes.legend}>
      <span>Box: middle 50 %</span>
      <span>Line: median</span>
      <span>Circle: mean</span>
      <span>Whiskers: 1.5 × IQR</span>
      {hasZeros && <span>Zero has no place on a log scale, so it is drawn at the left edge</span>}
    </p>
  )
}
