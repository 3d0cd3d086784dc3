import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import { promptTasksOf } from '#contract/prompt-tasks.ts'
import { InfrastructureCause, infrastructureCauses, type LeftOutRuns } from '#contract/infrastructure.ts'
import {
  Dimension,
  type Discovered,
  Metric,
  type QueryResult,
  type queryExperiment as endpoint,
} from '#contract/queries.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findVersion } from '#platform/inputs/experiments/find-version.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { compileOmitted, compileValues, type ModeledQuery } from './compile-modeled.ts'
import type { ScopedSql } from './query-scope.ts'
import { runScopedSql } from './run-scoped-sql.ts'

type Input = VerbInput<typeof endpoint>

const latest = 'latest'

/**
 * Returns the modeled query of a body with its defaults. Errors: `not_found` for the experiment, `invalid_argument` for
 * the version and for repeated names.
 */
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
    interval: input.interval,
    promptTasks: promptTasksOf(version.definition),
  }
}

/**
 * Returns the given list, or the default if it is missing. Two columns with the same name could not be distinguished.
 */
function distinct<T>(field: string, values: readonly T[] | undefined, otherwise: readonly T[]): readonly T[] {
  if (!values?.length) return otherwise
  if (new Set(values).size < values.length) throw invalid(`\`${field}\` contains a name twice`)
  return values
}

/** What a modeled query does not count: test-aware runs, unless they are included, and runs that are left out. */
export async function countOmitted(context: Context, query: ModeledQuery, scoped: Omit<ScopedSql, 'sql' | 'limit'>) {
  const sql = compileOmitted(query)
  const { table } = await runScopedSql(context, { ...scoped, sql, limit: maxOmittedRows, includeTestAware: true })
  const groups = OmittedGroups.parse(table.read().rows)
  let excludedTestAwareRuns = 0
  const leftOutRuns: LeftOutRuns = {}
  for (const [testAware, cause, runs] of groups) {
    if (testAware && !scoped.includeTestAware) excludedTestAwareRuns += cause === null ? runs : 0
    else if (cause !== null) leftOutRuns[cause] = (leftOutRuns[cause] ?? 0) + runs
  }
  return { excludedTestAwareRuns, leftOutRuns }
}

const OmittedGroups = z.array(z.tuple([z.boolean(), InfrastructureCause.nullable(), z.int()]))
const maxOmittedRows = 2 * (infrastructureCauses.length + 1)

/** Returns the result of `discoverDimension`. For a dimension, its rows are the observed values. */
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
