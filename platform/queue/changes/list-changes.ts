import { ChangedFile, type listChanges as endpoint, type RunChanges } from '#contract/changes.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { describeRemoved } from '#platform/queue/run-lookup/describe-removed.ts'
import { findRun } from '#platform/queue/run-lookup/find-run.ts'
import { readChanges } from './read-changes.ts'

/** GET /runs/{id}/changes: the files that the agent of one run changed, by path. `id` is a composite run id. */
export async function listChanges(context: Context, { id }: VerbInput<typeof endpoint>): Promise<RunChanges> {
  const { run } = await findRun(context, id)
  const changes = await readChanges(context, run.id)
  if (!changes) {
    const removed = await describeRemoved(context.db, run.id, 'changes')
    return { status: 'unavailable', files: [], leftOut: removed === undefined ? [] : [removed] }
  }
  const { files, leftOut } = changes
  return { status: 'available', files: files.map((file) => ChangedFile.parse(file)), leftOut }
}
