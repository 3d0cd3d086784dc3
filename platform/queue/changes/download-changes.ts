import { changesTypes, type downloadChanges as endpoint } from '#contract/changes.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { StreamedFile } from '#platform/ground/routes/streamed-file.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { describeRemoved } from '#platform/queue/run-lookup/describe-removed.ts'
import { findRun } from '#platform/queue/run-lookup/find-run.ts'
import { readDownload } from './read-changes.ts'
import { writeArchive } from './write-archive.ts'
import { writePatch } from './write-patch.ts'

/** GET /runs/{id}/changes/download: a patch, or a tar.gz of the files. Errors: `not_found` without recorded changes. */
export async function downloadChanges(
  context: Context,
  { id, format, path }: VerbInput<typeof endpoint>,
): Promise<StreamedFile> {
  const { run } = await findRun(context, id)
  const download = await readDownload(context, run.id, { format, path: path ?? null })
  if (!download)
    throw notFound((await describeRemoved(context.db, run.id, 'changes')) ?? 'This run recorded no changes')
  const { files, read } = download
  if (!files) throw notFound(`"${path}" is not among the changed files of this run`)
  const facts = { type: changesTypes[format], rows: files.length }
  if (format === 'patch')
    return new StreamedFile({ ...facts, name: 'changes.patch', parts: writePatch(run.organizationId, { files, read }) })
  const at = new Date(run.endedAt ?? run.createdAt)
  return new StreamedFile({ ...facts, name: 'files.tar.gz', parts: writeArchive({ files, read }, at) })
}
