import type { VerbInput } from '#contract/endpoint.ts'
import {
  Dimension,
  type Discovered,
  Metric,
  type QueryResult,
  type queryExperiment as endpoint,
} from '#contract/queries.ts'
import type { Context } from '#platform/context/context.ts'
import { findVersion } from '#platform/experiments/find-version.ts'
import { invalid } from '#platform/failures/failure.ts'
import { compileExcluded, compileValues, type ModeledQuery } from './compile-modeled.ts'
import type { ScopedSql } from './query-scope.ts'
import { runScopedSql } from './run-scoped-sql.ts'

type Input = VerbInput<typeof endpoint>

const latest = 'latest'

/** The modeled query a body asks for, defaults filled in. Errors: `not_found` for the experiment, `invalid_argument` for the version. */
export async function readModeledQuery({ db, organization }: Context, input: Input): Promise<ModeledQuery> {
  const { experimentVersion: reference = latest, agents, models, products, environments, prompts } = input
  const key = { organizationId: organization.id, experimentId: input.id }
  const version = await findVersion(db, key, reference === latest ? undefined : reference)
  if (!version) throw invalid(`\`experimentVersion\`: the experiment has no version "${reference}"`)
  return {
    metrics: distinct('metrics', input.metrics, ['testPassRate']),
    groupBy: distinct('groupBy', input.groupBy, ['variant']),
    filters: {
      agent: agents ?? [],
      model: models ?? [],
      product: products ?? [],
      environment: environments ?? [],
      prompt: prompts ?? [],
    },
    fingerprint: version.fingerprint,
  }
}

/** As given, or the default when none is. A column that came twice could not be told apart. */
function distinct<T>(field: string, given: readonly T[] | undefined, otherwise: readonly T[]): readonly T[] {
  if (!given?.length) return otherwise
  if (new Set(given).size < given.length) throw invalid(`\`${field}\` names the same twice`)
  return given
}

/** How many runs of the query's population the default exclusion holds back; 0 when they are included. */
export async function countExcluded(context: Context, query: ModeledQuery, scoped: Omit<ScopedSql, 'sql' | 'limit'>) {
  if (scoped.includeTestAware) return 0
  const sql = compileExcluded(query)
  const { table } = await runScopedSql(context, { ...scoped, sql, limit: 1, includeTestAware: true })
  return Number(table.read().rows[0]?.[0])
}

/** The answer to `discoverDimension`; for a dimension its rows are the observed values too. */
export async function discover(
  context: Context,
  query: ModeledQuery,
  { dimension, ...scoped }: Omit<ScopedSql, 'sql'> & { dimension: '' | Dimension },
): Promise<QueryResult & { discovered: Discovered }> {
  const all = { dimensions: Dimension.options, metrics: Metric.options }
  const nothing = { columns: [], rows: [], rowCount: 0, truncated: false, compiledSql: '' }
  if (dimension === '') return { ...nothing, discovered: { ...all, dimension: null, values: [] } }
  const { table, compiledSql } = await runScopedSql(context, { ...scoped, sql: compileValues(dimension, query) })
  const values = table.read().rows.map(([value, runs]) => ({
    value: value === null ? null : String(value),
    runs: Number(runs),
  }))
  return { ...table.toJSON(), compiledSql, discovered: { ...all, dimension, values } }
}
