import { isUtf8 } from 'node:buffer'

import type { ChangedFileContents, FileContent, getChangedFile as endpoint } from '#contract/changes.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { describeRemoved } from '#platform/queue/run-lookup/describe-removed.ts'
import { findRun } from '#platform/queue/run-lookup/find-run.ts'
import { readOneFile } from './read-changes.ts'

/** GET /runs/{id}/changes/file: both sides of a changed file. Errors: `not_found` for a path that is not listed. */
export async function getChangedFile(
  context: Context,
  { id, path }: VerbInput<typeof endpoint>,
): Promise<ChangedFileContents> {
  const { run } = await findRun(context, id)
  const changes = await readOneFile(context, { runId: run.id, path })
  const removed = changes ? undefined : await describeRemoved(context.db, run.id, 'changes')
  if (removed !== undefined) throw notFound(removed)
  const file = changes?.file
  if (!changes || !file) throw notFound(`"${path}" is not among the changed files of this run`)
  const { before, after } = file.places
  return {
    before: toContent(before && (await changes.read(before)), file.isBinary),
    after: toContent(after && (await changes.read(after)), file.isBinary),
  }
}

const toContent = (bytes: Buffer | null, isBinary: boolean): FileContent | null =>
  bytes &&
  (isBinary || !isUtf8(bytes)
    ? { encoding: 'base64', text: bytes.toString('base64') }
    : { encoding: 'utf8', text: bytes.toString() })
