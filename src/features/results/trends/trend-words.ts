import { meanOver, signed } from '#src/features/results/view/measures.ts'
import { type TrendWords, solvedWords, trendVerdicts } from '#src/leaderboard/trend-lines.ts'
import type { TrendMetric } from '#statistics/leaderboard/trends.ts'

const nouns = { passRate: 'test pass rate', costUsd: 'mean cost', wallSeconds: 'mean time' } as const

/** How the trend of a metric is written. */
export const trendWords = (metric: TrendMetric): TrendWords =>
  metric === 'solved'
    ? solvedWords
    : {
        noun: nouns[metric],
        format: (value, runs = 1) => meanOver(metric, value, runs),
        change: (difference) => signed(metric, difference),
        verdicts: trendVerdicts[metric],
      }

/** The heading of a trend's values: `Solved rate`, `Mean cost per run`. */
export const trendTitles: Record<TrendMetric, string> = {
  solved: 'Solved rate',
  passRate: 'Test pass rate',
  costUsd: 'Mean cost per run',
  wallSeconds: 'Mean time per run',
}
