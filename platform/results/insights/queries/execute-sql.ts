import type { VerbInput } from '#contract/endpoint.ts'
import type { QueryResult, queryRun } from '#contract/queries.ts'
import { limits } from '#contract/wire/limit.ts'
import { waitForProjection } from '#platform/analysis/projection/wait-for-projection.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireWriter } from '#platform/ground/context/require-role.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { SerializedBody } from '#platform/ground/routes/serialized-body.ts'
import { createInsight } from '#platform/results/insights/create-insight.ts'
import type { QueryScope, ScopedSql } from '#platform/analysis/queries/query-scope.ts'
import { checkScopedSql, runScopedSql } from '#platform/analysis/queries/run-scoped-sql.ts'

/** The options of both query routes besides the SQL. */
type SqlOptions = Pick<VerbInput<typeof queryRun>, 'limit' | 'dryRun' | 'saveInsight'> & { sql?: string | undefined }

/** A limit of 0 means the default. */
export const rowLimitOf = ({ limit }: SqlOptions) => limit || limits.queryRows.default

/** Throws `permission_denied` for a viewer who saves, and `invalid_argument` for a dry run that should also save the query. */
export function guardSaving(context: Context, { dryRun, saveInsight }: SqlOptions) {
  if (saveInsight) requireWriter(context)
  if (dryRun && saveInsight) throw invalid('`dryRun` cannot be combined with `saveInsight`')
}

/**
 * The estimate of a dry run, or the rows of a query. `saveInsight` then saves the query, in the user's own text, unless
 * it failed.
 */
export async function executeSql(
  context: Context,
  scoped: ScopedSql,
  { dryRun, saveInsight, sql: userSql }: SqlOptions,
): Promise<QueryResult | SerializedBody<QueryResult>> {
  if (dryRun) {
    const checked = await checkScopedSql(context, scoped)
    return { ...checked, rows: [], rowCount: 0, truncated: false }
  }
  const pendingRuns = await waitForRuns(context, scoped.scope)
  const { table, compiledSql } = await runScopedSql(context, scoped)
  const fields = { statistics: table.statistics, compiledSql, ...(pendingRuns > 0 && { pendingRuns }) }
  if (!saveInsight) return new SerializedBody(table, fields)
  const { includeTestAware } = scoped
  const sql = userSql ?? compiledSql
  const provenance = provenanceOf(scoped.scope)
  const { insight, created } = await createInsight(context, { ...saveInsight, sql, provenance, includeTestAware })
  const savedInsight = { id: insight.id, slug: insight.slug, created }
  return new SerializedBody(table, { ...fields, savedInsight })
}

/** Like waitForProjection, for the runs in this query's scope. */
export const waitForRuns = ({ organization, ...services }: Context, scope: QueryScope) =>
  waitForProjection(services, {
    organizationId: organization.id,
    ...(scope.kind === 'experiment' && { experimentId: scope.experimentId }),
    ...(scope.kind === 'run' && { runId: scope.runId }),
  })

const provenanceOf = (scope: QueryScope) => (scope.kind === 'organization' ? { kind: 'none' as const } : scope)
