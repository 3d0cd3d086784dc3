import { groupExpression } from '#contract/chart-columns.ts'
import type { ChartPoints } from '#contract/chart-runs.ts'
import { ChartMetric } from '#contract/charts.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { type ChartData, type ChartPage, afterRow, nextCursor } from './chart-page.ts'
import { shownScope } from './chart-scope.ts'
import { tasksOfChart } from './tasks-of-chart.ts'
import type { AskingScope } from './list-shown-runs.ts'
import { askedScore, metricExpressions } from './metric-columns.ts'

const VariantType = `Tuple(variantId String, agent String, agentMode Nullable(String), model Nullable(String),
  product Nullable(String), environment Nullable(String), prompt Nullable(String), group String)`

/** One run: what a page has a column of, then what its runs share. */
const pointParts = {
  runUuid: 'toString(run_id)',
  hash: "substring(id, length(id) - position(reverse(id), '::') + 2)",
  repeat: 'repeat',
  status: 'toString(status)',
  mock: 'mock',
  endedAt: "concat(replaceOne(toString(ended_at), ' ', 'T'), 'Z')",
  ...Object.fromEntries(ChartMetric.options.map((metric) => [metric, metric])),
  variant: `CAST(tuple(variant_id, agent, agent_mode, model, product, environment, prompt, group), '${VariantType}')`,
  version: "CAST(tuple(version_fingerprint, version_ordinal), 'Tuple(fingerprint String, ordinal UInt32)')",
  request: 'toString(run_request_id)',
  // Last, because it is absent where the parameters name no score.
  score: 'score',
} as const

const numberOfPart = new Map(Object.keys(pointParts).map((name, place) => [name, place + 1]))
const partsOf = (name: string) => `tupleElement(points, ${numberOfPart.get(name)})`

/** The index of each run's value among the distinct values, in order of first appearance. */
const indexesOf = (name: string) => `arrayMap(place -> toUInt32(place - 1), arrayEnumerateDense(${partsOf(name)}))`

const pageColumns = [
  ['runUuid', 'Array(String)', partsOf('runUuid')],
  ['hash', 'Array(String)', partsOf('hash')],
  ['variant', 'Array(UInt32)', indexesOf('variant')],
  ['version', 'Array(UInt32)', indexesOf('version')],
  ['request', 'Array(UInt32)', indexesOf('request')],
  ['repeat', 'Array(UInt32)', partsOf('repeat')],
  ['status', 'Array(String)', partsOf('status')],
  ['mock', 'Array(Bool)', partsOf('mock')],
  ['endedAt', 'Array(String)', partsOf('endedAt')],
  ['metrics', ...namedTuple(ChartMetric.options.map((name) => [name, 'Array(Nullable(Float64))', partsOf(name)]))],
] as const

const scoreColumn = ['score', 'Array(Nullable(Float64))', partsOf('score')] as const

/** Named tuples are written as objects. */
function namedTuple(fields: readonly (readonly [name: string, type: string, value: string])[]) {
  const type = `Tuple(${fields.map(([name, type]) => `${name} ${type}`).join(', ')})`
  return [type, `CAST(tuple(${fields.map(([, , value]) => value).join(', ')}), '${type}')`] as const
}

/** The last column of the engine's answer: what the next page needs. No value before it can contain an unescaped quote. */
const beforeEnd = ',"end":'
type End = { hasMore: number; endedAt: string; runUuid: string }

/**
 * A page of ChartPoints as JSON, one point per run. The columns are the engine's own text: to read and write fifty
 * thousand runs as objects took three times as long as the engine did.
 */
export async function listChartPoints(
  context: Context,
  chart: AskingScope,
  page: ChartPage,
  limit: number = limits.chartPoints.max,
): Promise<ChartData> {
  const scope = shownScope(chart)
  const after = afterRow(page.after, 'runs')
  const score = askedScore(chart)
  const ask = { parameters: { ...scope.parameters, ...after.parameters, ...score?.parameters } }
  const { score: _score, ...partsOfAll } = pointParts
  const parts = Object.values(score ? pointParts : partsOfAll)
  const columns = score ? [...pageColumns, scoreColumn] : pageColumns
  const [, end] = namedTuple([
    ['hasMore', 'UInt8', `shown > ${limit}`],
    ['endedAt', 'String', `${partsOf('endedAt')}[${limit}]`],
    ['runUuid', 'String', `${partsOf('runUuid')}[${limit}]`],
  ])
  const asked = context.analytics.queryText(
    context.organization.id,
    `SELECT arrayDistinct(${partsOf('variant')}) AS variants, arrayDistinct(${partsOf('version')}) AS versions,
       arrayDistinct(${partsOf('request')}) AS requests, ${namedTuple(columns)[1]} AS columns, ${end} AS end
     FROM (
       SELECT count() AS shown, groupArray(${limit})(tuple(${parts.join(', ')})) AS points
       FROM (
         SELECT run_id, id, run_request_id, variant_id, agent, agent_mode, model, product, environment, prompt,
           version_fingerprint, version_ordinal, repeat, status, mock, ended_at,
           ${groupExpression(chart.groupBy)} AS group, ${metricExpressions}${score ? `, ${score.expression} AS score` : ''}
         FROM runs FINAL WHERE ${scope.condition} AND ${after.condition}
         ORDER BY ended_at DESC, run_id DESC LIMIT ${limit + 1}
       )
     )`,
    ask,
  )
  const counted = context.analytics.query(
    context.organization.id,
    `SELECT toUInt32(count()) AS total FROM runs FINAL WHERE ${scope.condition}`,
    ask,
  )
  const [text, [count], promptTasks] = await Promise.all([asked, counted, tasksOfChart(context, chart)])
  const columnsEnd = text.lastIndexOf(beforeEnd)
  const { hasMore, endedAt, runUuid } = JSON.parse(
    text.slice(columnsEnd + beforeEnd.length, text.lastIndexOf('}')),
  ) as End
  const last = hasMore ? { endedAtText: endedAt.replace('T', ' ').slice(0, -1), runUuid, ordinal: 0 } : undefined
  const rest: Omit<ChartPoints, 'variants' | 'versions' | 'requests' | 'columns'> = {
    groupBy: chart.groupBy,
    version: chart.version,
    total: Number(count?.['total'] ?? 0),
    ...(promptTasks.length > 0 && { promptTasks }),
    nextCursor: nextCursor(page, chart.version, last),
  }
  const chartDataJson = `${JSON.stringify(rest).slice(0, -1)},${text.slice(1, columnsEnd)}}`
  return { chartDataJson, nextCursor: rest.nextCursor }
}
