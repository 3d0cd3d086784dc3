import { type ChartKind, chartReference, type SummaryOf } from '#contract/chart-kinds.ts'
import {
  type ChartMeasure,
  type ChartMetric,
  type HeatmapSummary,
  type MetricSummary,
  type ScatterSummary,
} from '#contract/charts.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import { noOutcomes, outcomes, passRate } from '#contract/outcomes.ts'
import { fingerprintOf } from '#contract/report-blocks/insight-blocks.ts'
import type { CitedInsight } from '#src/api/cited-insights.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { showValue } from '#src/charts/result/values.ts'
import { percent } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { number, rounded, sum, text } from './figure-columns.ts'
import type { FigureContent, LiveFigure } from './figure-content.ts'
import { comparedGroups, leaderboardContent } from './leaderboard-figure.ts'

type Chart = Exclude<CitedInsight, { kind: 'sql' }>

/** Converts a built-in chart to a figure: its summary as rows with their presentation. */
export function chartFigure({ experimentId, kind, data, isWhole }: Chart): LiveFigure {
  const content = contentOf(kind, data, isWhole)
  const rows = comparedRowsOf(kind, data) ?? content.rows
  return {
    title: `${figures[kind]?.title ?? 'Results by group'}: ${experimentId}`,
    href: paths.chart(experimentId, kind),
    content: withGroupsInWords(content),
    // Of the groups as the data has them, so that other words for them are no drift.
    fingerprint: fingerprintOf({ reference: chartReference(experimentId, kind), rows }),
    provenance: { kind: 'experiment', experimentId },
  }
}

/** Names the values of each group: `careful · none recorded`, where the data has `careful~`. */
export function withGroupsInWords(content: FigureContent): FigureContent {
  const place = content.columns.findIndex(({ name }) => name === 'group')
  const named = (row: FigureContent['rows'][number]) =>
    row.map((value, index) => (index === place && typeof value === 'string' ? groupLabel(value) : value))
  return { ...content, rows: content.rows.map(named) }
}

type Figure<Kind extends ChartKind> = {
  title: string
  contentOf: (data: SummaryOf<Kind>, isWhole: boolean) => FigureContent
  /** The rows that drift is measured by, if they differ from the shown ones. */
  comparedRows?: (data: SummaryOf<Kind>) => FigureContent['rows']
}

/** Other kinds are shown as the table of their groups. */
const figures: { [Kind in ChartKind]?: Figure<Kind> } = {
  leaderboard: { title: 'Leaderboard', contentOf: leaderboardContent, comparedRows: comparedGroups },
  tests: { title: 'Test results', contentOf: testsContent },
  scatter: { title: 'Test pass rate vs. cost', contentOf: scatterContent },
  metric: { title: 'Median by group', contentOf: metricContent },
}

const contentOf = <Kind extends ChartKind>(kind: Kind, data: SummaryOf<Kind>, isWhole: boolean) =>
  figures[kind]?.contentOf(data, isWhole) ?? groupsContent(data)

const comparedRowsOf = <Kind extends ChartKind>(kind: Kind, data: SummaryOf<Kind>) =>
  figures[kind]?.comparedRows?.(data)

function testsContent({ cells, groups, tests, version }: HeatmapSummary): FigureContent {
  const worst = tests.toSorted((a, b) => (passRate(a) ?? 2) - (passRate(b) ?? 2))
  const ranks = new Map(worst.map(({ test }, place) => [test, place]))
  const rows = cells
    .toSorted((a, b) => (ranks.get(a.test) ?? 0) - (ranks.get(b.test) ?? 0))
    .map((cell) => [cell.test, cell.group || 'none recorded', rounded(passRate(cell)), cell.passed, countOf(cell)])
  const total = { ...noOutcomes }
  for (const test of tests) for (const outcome of outcomes) total[outcome] += test[outcome]
  return {
    columns: [text('test'), text('group'), number('pass rate'), number('passed'), number('results')],
    rows,
    rowCount: rows.length,
    presentation: { kind: 'heatmap', x: 'group', series: 'test', y: ['pass rate'] },
    headline: percent(passRate(total)),
    runs: sum(groups.map(({ runs }) => runs)),
    version,
  }
}

type GroupedSummary = { version: string; groups: readonly { group: string; runs: number }[] }

/** One row per group, with every number of the group. */
export function groupsContent({ groups, version }: GroupedSummary): FigureContent {
  const names = [
    ...new Set(
      groups.flatMap((group) =>
        Object.entries(group)
          .filter(isNumber)
          .map(([name]) => name),
      ),
    ),
  ]
  const rows = groups.map((group) => {
    const numbers = new Map(Object.entries(group).filter(isNumber))
    return [group.group || 'none recorded', ...names.map((name) => rounded(numbers.get(name) ?? null))]
  })
  return {
    columns: [text('group'), ...names.map((name) => number(toWords(name)))],
    rows,
    rowCount: rows.length,
    runs: sum(groups.map(({ runs }) => runs)),
    version,
  }
}

const isNumber = (entry: [string, unknown]): entry is [string, number] => typeof entry[1] === 'number'

/** `fullPasses` → `full passes`. */
const toWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const countOf = (cell: HeatmapSummary['cells'][number]) => sum(outcomes.map((outcome) => cell[outcome]))

function scatterContent({ groups, totals, version }: ScatterSummary): FigureContent {
  const rows = groups.map(({ group, runs, metrics }) => [
    group || 'none recorded',
    runs,
    rounded(metrics.costUsd?.mean ?? null),
    rounded(metrics.passRate?.mean ?? null),
  ])
  return {
    columns: [text('group'), number('runs'), number('mean cost in USD'), number('mean pass rate')],
    rows,
    rowCount: rows.length,
    presentation: { kind: 'scatter', x: 'mean cost in USD', y: ['mean pass rate'], series: 'group' },
    headline: percent(totals.metrics.passRate?.mean ?? null),
    runs: totals.runs,
    version,
  }
}

function metricContent({ groups, metric, version }: MetricSummary): FigureContent {
  const name = scoreNameOf(metric) ?? metricNames[metric as ChartMetric]
  const measured = groups.filter(({ n, mean }) => n > 0 && mean !== null)
  const n = sum(measured.map((group) => group.n))
  const mean = n === 0 ? null : sum(measured.map((group) => group.n * (group.mean ?? 0))) / n
  const rows = groups.map(({ group, runs, median, mean: groupMean }) => [
    group || 'none recorded',
    runs,
    rounded(groupMean),
    rounded(median),
  ])
  return {
    columns: [text('group'), number('runs'), number(`mean ${name}`), number(`median ${name}`)],
    rows,
    rowCount: rows.length,
    presentation: { kind: 'bar', x: 'group', y: [`median ${name}`] },
    ...(mean !== null && {
      headline: isRate(metric) ? percent(mean) : showValue(rounded(mean)),
    }),
    runs: sum(groups.map(({ runs }) => runs)),
    version,
  }
}

const isRate = (metric: ChartMeasure) => metric === 'passRate' || metric === 'solved' || metric === 'toolFailureRate'

const metricNames: Record<ChartMetric, string> = {
  solved: 'solved rate',
  passRate: 'test pass rate',
  costUsd: 'cost in USD',
  wallSeconds: 'seconds',
  toolCalls: 'tool calls',
  toolFailures: 'tool failures',
  toolFailureRate: 'tool failure rate',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  totalTokens: 'tokens',
}
