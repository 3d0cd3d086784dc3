import type { VerbInput } from '#contract/endpoint.ts'
import type { queryRun as endpoint } from '#contract/queries.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/context/context.ts'
import { invalid } from '#platform/failures/failure.ts'
import type { AnswerOf } from '#platform/context/serve.ts'
import { findRun } from '#platform/runs/find-run.ts'
import { answerSql, guardSaving, rowLimitOf } from './answer-sql.ts'

/**
 * POST /runs/{id}/query: SQL over one run; scope fields in the body count for nothing. The run's rows are there whether or
 * not it was classified test aware: whoever names a run wants that run. A run that has not finished has none.
 * Errors: `invalid_argument` for an id that is no composite one, `not_found` for the run; those of queryExperiment for SQL.
 */
export async function queryRun(
  context: Context,
  input: VerbInput<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  if (!isCompositeRunId(input.id)) throw invalid('A query of a run takes a composite run id')
  guardSaving(input)
  const { run } = await findRun(context, input.id)
  const scope = { kind: 'run', runId: run.compositeId } as const
  const { id: organizationId } = context.organization
  const scoped = { organizationId, scope, includeTestAware: true, limit: rowLimitOf(input) }
  return answerSql(context, { ...scoped, sql: input.sql }, input)
}
