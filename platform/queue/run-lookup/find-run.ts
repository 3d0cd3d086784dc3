import { describeRemoval } from '#contract/retention.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import type { Topic } from '#platform/ground/polling/watch-changes.ts'
import { findGoneRun, type GoneRun } from './removal-store.ts'
import { findRequest, findWholeRun } from './store.ts'

type Place = Pick<Context, 'db' | 'organization'>

/** Returns the run with this composite id in the caller's organization. Errors: `not_found`. */
export async function findRun({ db, organization }: Place, compositeId: string) {
  const row = await findWholeRun(db, organization.id, compositeId)
  if (!row) throw notFound(await describeMissing(db, organization.id, `Run "${compositeId}"`, { compositeId }))
  return row
}

/** Returns the run request with this id in the caller's organization. Errors: `not_found`. */
export async function findRunRequest({ db, organization }: Place, id: string) {
  const row = await findRequest(db, organization.id, id)
  if (!row) throw notFound(await describeMissing(db, organization.id, `Run request "${id}"`, { requestId: id }))
  return row
}

export type FoundRun = Awaited<ReturnType<typeof findRun>>

export type FoundRequest = Awaited<ReturnType<typeof findRunRequest>>

async function describeMissing(db: Context['db'], organizationId: string, named: string, gone: GoneRun) {
  const removal = await findGoneRun(db, organizationId, gone)
  return removal ? `${named} no longer exists. ${describeRemoval(removal)}` : `${named} does not exist`
}

/** Resolves an id to one run (a composite id) or to every run of a request (any other id). Errors: `not_found`. */
export async function findRunScope(context: Place, id: string): Promise<{ runId: string } | { requestId: string }> {
  if (isCompositeRunId(id)) return { runId: (await findRun(context, id)).run.id }
  return { requestId: (await findRunRequest(context, id)).request.id }
}

/** The topic whose changes affect a response about this id. Request ids are UUIDs, which may be spelled in capitals. */
export const topicOfRuns = (id: string): Topic => (isCompositeRunId(id) ? `run ${id}` : `request ${id.toLowerCase()}`)
