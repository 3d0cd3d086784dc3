import type { Context } from '#platform/ground/context/context.ts'
import { ChangedFile, type RunChanges } from '#contract/changes.ts'
import { SerializedBody } from '#platform/ground/routes/serialized-body.ts'
import type { RunAttempt } from '#platform/queue/transcripts/segments.ts'
import { type DownloadFile, filesOfDownload, type WantedDownload } from './files-of-download.ts'
import { getManifest, parseManifest, type RecordedFile } from './manifest.ts'
import { getZipped, packKey, type Place } from './pack-files.ts'
import { findDownloadApart, findFileApart, listFilesApart } from './read-manifest-apart.ts'
import { findChanges } from './store.ts'

type Read = (place: Place) => Promise<Buffer | null>

/** The files of a download of changes. `read` returns a content; null if the storage has lost it. */
export type Download = { files: readonly DownloadFile[]; read: Read }

type Storage = Pick<Context, 'db' | 'blobs' | 'organization'>

/**
 * A download of the changes that a run recorded; `files` is null if none has the wanted path. Null if the run recorded none. Contents are read
 * when they are needed. Files that are read in the order of their places unpack each pack once.
 */
export async function readDownload(
  storage: Storage,
  runId: string,
  wanted: WantedDownload,
): Promise<{ files: readonly DownloadFile[] | null; read: Read } | null> {
  const found = await findManifest(storage, runId)
  if (!found) return null
  const { manifest, run } = found
  const files =
    manifest.bytes.byteLength > smallBytes
      ? await findDownloadApart(manifest, wanted)
      : filesOfDownload(parseManifest(manifest.bytes).files, wanted)
  return { files, read: packReader(storage, run) }
}

/** Reading a smaller manifest takes no longer than sending it to a process. */
const smallBytes = 64 * 1024

/** The list of the changes that a run recorded, or null if it recorded none. */
export async function readList(
  storage: Storage,
  runId: string,
): Promise<RunChanges | SerializedBody<RunChanges> | null> {
  const { manifest } = (await findManifest(storage, runId)) ?? {}
  if (!manifest) return null
  const status = 'available'
  if (manifest.bytes.byteLength > smallBytes) {
    const parts = await listFilesApart(manifest)
    return new SerializedBody<RunChanges>({ parts, read: () => JSON.parse(`{${Buffer.concat(parts)}}`) }, { status })
  }
  const { files, leftOut } = parseManifest(manifest.bytes)
  return { status, files: files.map((file) => ChangedFile.parse(file)), leftOut }
}

/** One file of the changes that a run recorded; `file` is null if it is not among them. Null if it recorded none. */
export async function readOneFile(
  storage: Storage,
  { runId, path }: { runId: string; path: string },
): Promise<{ file: RecordedFile | null; read: Read } | null> {
  const found = await findManifest(storage, runId)
  if (!found) return null
  const { manifest, run } = found
  const file =
    manifest.bytes.byteLength > smallBytes
      ? await findFileApart(manifest, path)
      : (parseManifest(manifest.bytes).files.find((each) => each.path === path) ?? null)
  return { file, read: packReader(storage, run) }
}

async function findManifest({ db, blobs, organization }: Storage, runId: string) {
  const run = await findChanges(db, runId)
  const bytes = run && (await getManifest(blobs, run))
  return bytes ? { run, manifest: { organizationId: organization.id, bytes } } : null
}

function packReader({ blobs }: Pick<Storage, 'blobs'>, run: RunAttempt): Read {
  let latest: { pack: number; bytes: Promise<Buffer | null> } | undefined
  return async ({ pack, start, length }) => {
    latest = latest?.pack === pack ? latest : { pack, bytes: getZipped(blobs, packKey(run, pack)) }
    return (await latest.bytes)?.subarray(start, start + length) ?? null
  }
}
