import { changesTypes, type downloadChanges as endpoint } from '#contract/changes.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { StreamedFile } from '#platform/ground/context/streamed-file.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { describeRemoved } from '#platform/queue/run-lookup/describe-removed.ts'
import { findRun } from '#platform/queue/run-lookup/find-run.ts'
import { readChanges } from './read-changes.ts'
import { archivedFiles, writeArchive } from './write-archive.ts'
import { writePatch } from './write-patch.ts'

/** GET /runs/{id}/changes/download: a patch, or a tar.gz of the files. Errors: `not_found` without recorded changes. */
export async function downloadChanges(
  context: Context,
  { id, format, path }: VerbInput<typeof endpoint>,
): Promise<StreamedFile> {
  const { run } = await findRun(context, id)
  const all = await readChanges(context, run.id)
  if (!all) throw notFound((await describeRemoved(context.db, run.id, 'changes')) ?? 'This run recorded no changes')
  const changes = path === undefined ? all : { ...all, files: all.files.filter((file) => file.path === path) }
  if (path !== undefined && changes.files.length === 0)
    throw notFound(`"${path}" is not among the changed files of this run`)
  const type = changesTypes[format]
  if (format === 'patch') {
    const rows = changes.files.filter(({ change }) => change !== 'unchanged').length
    return new StreamedFile({ type, name: 'changes.patch', rows, parts: writePatch(changes) })
  }
  const at = new Date(run.endedAt ?? run.createdAt)
  return new StreamedFile({
    type,
    name: 'files.tar.gz',
    rows: archivedFiles(changes).length,
    parts: writeArchive(changes, at),
  })
}
