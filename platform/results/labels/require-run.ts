import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { invalid, notFound } from '#platform/ground/failures/failure.ts'
import { findRun } from '#platform/queue/run-lookup/find-run.ts'
import { findLabel, lockRun } from './store.ts'

/** Errors: `not_found`, `invalid_argument` for the id of a request. */
export async function requireRun(context: Context, id: string) {
  if (!isCompositeRunId(id)) throw invalid('This route needs a composite run id')
  return (await findRun(context, id)).run
}

/** The run, locked until the transaction ends. Errors: those of requireRun. */
export async function requireLockedRun(context: Context, tx: Database, id: string) {
  const known = await requireRun({ ...context, db: tx }, id)
  const run = await lockRun(tx, context.organization.id, known.compositeId)
  if (!run) throw notFound(`Run "${id}" does not exist`)
  return run
}

/** Errors: `not_found`. */
export async function requireLabel(tx: Database, runId: string, labelId: string) {
  const row = isUuidText(labelId) ? await findLabel(tx, runId, labelId) : null
  if (!row) throw notFound('The run has no such label')
  return row
}
