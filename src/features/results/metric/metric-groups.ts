import type { ChartMeasure, MetricGroup } from '#contract/charts.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import type { BoxGroup } from '#src/charts/box/box-group.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { seriesOf } from '#src/charts/series.ts'
import { isHigherBetter } from '#src/features/results/view/better-measures.ts'
import { inColumn, meanInWords, measureOf } from '#src/features/results/view/measures.ts'
import { usdBeside } from '#src/format/money.ts'
import { atLeastText, counted } from '#src/format/numbers.ts'
import { toRows } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type Mean, type Rate, rateOf, scoreMeanOf } from '#statistics/leaderboard/rate-interval.ts'
import type { Scope } from '#statistics/scope.ts'
import { type MetricOrder, rateOfMetric } from './metric-parameters.ts'

/** A group with its rate, if the metric is one. */
export type MetricRow = MetricGroup & { rate: Rate | null }

/** The rate of each group, or its mean score, in a leaderboard that was asked for a metric. */
export function ratesOf(summary: LeaderboardSummary, scope: Scope, metric: ChartMeasure): Map<string, Rate> {
  const rows = toRows(summary, scope)
  const isScore = scoreNameOf(metric) !== null
  return new Map(
    rows.map(({ group, measured }) => {
      const prompts = [...measured.values()]
      return [group, isScore ? meanAsRate(scoreMeanOf(prompts, scope)) : rateOf(prompts, scope)]
    }),
  )
}

const meanAsRate = ({ mean, ...rest }: Mean): Rate => ({ share: mean, ...rest })

/** The value that a row is read for and sorted by. */
const valueOf = ({ rate, median, cut }: MetricRow) => (rate ? rate.share : cut ? cut.median : median)

/** Groups with the best value first, or by name. Those without a value come last. */
export function toMetricRows(
  groups: readonly MetricGroup[],
  rates: ReadonlyMap<string, Rate> | null,
  { metric, order }: { metric: ChartMeasure; order: MetricOrder },
): MetricRow[] {
  const rows = groups.map((group): MetricRow => ({ ...group, rate: rates?.get(group.group) ?? null }))
  if (order === 'name') return rows
  const sign = isHigherBetter(metric) ? -1 : 1
  return rows.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return sign * (one - other)
  })
}

/** Groups as rows of a chart. A group whose runs all lack the metric keeps an empty row. */
export function toBoxGroups(rows: readonly MetricRow[], metric: ChartMeasure): BoxGroup[] {
  const places = seriesOf(rows.map(({ group }) => groupLabel(group)))
  const format = formatBeside(rows, metric)
  return rows.map((row) => {
    const label = groupLabel(row.group)
    const extent =
      row.n === 0
        ? `${counted(row.missing, 'run')} without a value`
        : counted(row.n, 'run') + (row.missing > 0 ? `, ${row.missing} without a value` : '')
    const { value, spread, dot } = rateOfMetric(metric) ? ofRate(row, metric) : ofDistribution(row, format)
    const words = `${label} ${extent}: ${spread}`
    return { ...row, label, series: places.get(label) ?? 0, extent, value, spread, ...(dot && { dot }), words }
  })
}

type Words = { value: string; spread: string; dot?: BoxGroup['dot'] }

function ofRate({ rate, mean }: MetricRow, metric: ChartMeasure): Words {
  const { format, label } = measureOf(metric)
  const share = rate?.share ?? mean
  if (share === null) return { value: '', spread: 'no value' }
  const interval = rate?.interval ?? null
  const range = interval ? `95 % CI ${format(interval.low)} to ${format(interval.high)}` : 'no interval'
  const spread = `${meanInWords(metric, share)} ${label.toLowerCase()}, ${range}`
  return { value: inColumn(metric, share), spread, dot: { value: share, interval } }
}

function ofDistribution(row: MetricRow, format: Format): Words {
  const { n, q1, q3, cut } = row
  if (n === 0) return { value: '', spread: 'no value' }
  const median = medianText(row, format)
  const known = `median ${median}, quartiles ${format(q1)} to ${format(q3)}, mean ${meanText(row, format)}`
  return {
    value: `median ${median}`,
    spread: cut ? `${known}; ${counted(cut.runs, 'run')} ended by a limit would have taken longer` : known,
  }
}

type Format = (value: number | null) => string

/** Costs of a tenth of a cent have decimals that tell them apart, not `$0.01` for all. */
export const formatBeside = (rows: readonly MetricRow[], metric: ChartMeasure): Format =>
  metric === 'costUsd' ? usdBeside(rows.map(({ median }) => median)) : measureOf(metric).format

/** `≥ 15 min` where runs that a limit or a person ended leave only a bound. */
export const medianText = ({ median, cut }: MetricRow, format: Format) =>
  atLeastText(cut?.medianIsAtLeast ?? false, format(cut ? cut.median : median))

/** The mean of times is at least what was measured if some were cut. */
export const meanText = ({ mean, cut }: MetricRow, format: Format) => atLeastText(cut !== undefined, format(mean))
