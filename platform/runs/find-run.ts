import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/context/context.ts'
import { notFound } from '#platform/failures/failure.ts'
import type { Topic } from '#platform/polling/watch-changes.ts'
import { findRequest, findRuns } from './store.ts'

type Place = Pick<Context, 'db' | 'organization'>

/** The run of a composite id in the caller's organization, or `not_found`. */
export async function findRun({ db, organization }: Place, compositeId: string) {
  const [row] = await findRuns(db, { organizationId: organization.id, compositeId }, { limit: 1 })
  if (!row) throw notFound(`Run "${compositeId}" does not exist`)
  return row
}

/** The run request of an id, or `not_found`. */
export async function findRunRequest({ db, organization }: Place, id: string) {
  const row = await findRequest(db, organization.id, id)
  if (!row) throw notFound(`Run request "${id}" does not exist`)
  return row
}

/** The runs an id stands for: one run for a composite id, every run of a request otherwise. */
export async function findRunScope(context: Place, id: string): Promise<{ runId: string } | { requestId: string }> {
  if (isCompositeRunId(id)) return { runId: (await findRun(context, id)).run.id }
  return { requestId: (await findRunRequest(context, id)).request.id }
}

/** What an answer about an id depends on. Ids of requests are UUIDs, which may be spelled in capitals. */
export const topicOfRuns = (id: string): Topic => (isCompositeRunId(id) ? `run ${id}` : `request ${id.toLowerCase()}`)
