import { Presentation } from '#contract/insight-fields.ts'
import { Dimension, IntervalUnit, Metric } from '#contract/queries.ts'
import { limits } from '#contract/wire/limit.ts'
import type { ModeledFields, QueryRequest, QueryTarget } from '#src/api/queries.ts'

/** The axes that the builder can filter by: the name in the URL and the field in the API. */
export const modeledFilters = [
  { dimension: 'agent', field: 'agents' },
  { dimension: 'model', field: 'models' },
  { dimension: 'product', field: 'products' },
  { dimension: 'environment', field: 'environments' },
  { dimension: 'prompt', field: 'prompts' },
] as const

export const rowLimits = [100, 1000, limits.queryRows.max] as const

export type QueryState = {
  /** Null if no scope is selected. */
  target: QueryTarget | null
  isModeled: boolean
  sql: string
  modeled: Required<Pick<ModeledFields, 'metrics' | 'groupBy'>> & ModeledFields
  limit: number
  includeTestAware: boolean
  presentation: Presentation | undefined
}

/** Reads the page's state from the URL; SQL is in the fragment. */
export function readQueryState({ search, hash }: { search: string; hash: string }): QueryState {
  const query = new URLSearchParams(search)
  const run = query.get('run')
  const experiment = query.get('experiment')
  const target: QueryTarget | null = run
    ? { kind: 'run', runId: run }
    : experiment
      ? { kind: 'experiment', experimentId: experiment }
      : query.get('scope') === 'organization'
        ? { kind: 'organization' }
        : null
  return {
    target,
    isModeled: target?.kind === 'experiment' && query.get('mode') === 'modeled',
    sql: new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B')).get('sql') ?? '',
    modeled: readModeled(query),
    limit: rowLimits.find((limit) => limit === Number(query.get('limit'))) ?? 1000,
    includeTestAware: query.get('testAware') === '1',
    presentation: readPresentation(query),
  }
}

function readModeled(query: URLSearchParams): QueryState['modeled'] {
  const metrics = query.getAll('metric').filter((value): value is Metric => Metric.safeParse(value).success)
  const groupBy = query.getAll('by').filter((value): value is Dimension => Dimension.safeParse(value).success)
  const filters = modeledFilters.flatMap(({ dimension, field }) =>
    query.has(dimension) ? [[field, query.getAll(dimension)] as const] : [],
  )
  const version = query.get('version')
  const interval = IntervalUnit.safeParse(query.get('interval'))
  return {
    metrics: metrics.length > 0 ? [...new Set(metrics)] : ['testPassRate'],
    groupBy: groupBy.length > 0 ? [...new Set(groupBy)] : ['variant'],
    ...Object.fromEntries(filters),
    ...(interval.success && { interval: interval.data }),
    ...(version && { experimentVersion: version }),
  }
}

function readPresentation(query: URLSearchParams): Presentation | undefined {
  if (!query.has('chart')) return undefined
  const parsed = Presentation.safeParse({
    kind: query.get('chart'),
    x: query.get('x') ?? undefined,
    y: query.getAll('y'),
    series: query.get('series') ?? undefined,
  })
  return parsed.success ? parsed.data : undefined
}

export const presentationQuery = ({ kind, x, y, series }: Presentation) => ({
  chart: kind === 'table' ? null : kind,
  x: kind === 'table' ? null : (x ?? null),
  y: kind === 'table' ? null : y,
  series: kind === 'table' ? null : (series ?? null),
})

/** Removes every builder field from the URL. */
export const noModeled = Object.fromEntries(
  ['mode', 'metric', 'by', 'interval', 'version', ...modeledFilters.map(({ dimension }) => dimension)].map((name) => [
    name,
    null,
  ]),
)

/** The query in the URL; null if there is none yet. */
export function requestOf({
  target,
  isModeled,
  sql,
  modeled,
  limit,
  includeTestAware,
}: QueryState): QueryRequest | null {
  if (!target || (!isModeled && sql.trim() === '')) return null
  return {
    target,
    statement: isModeled ? modeled : { sql },
    limit,
    ...(includeTestAware && target.kind !== 'run' && { includeTestAware }),
  }
}
