import { z } from 'zod'

import { Bytes, type ContentJob } from '#platform/ground/content/content-job.ts'
import { withContent } from '#platform/ground/content/content-pool.ts'
import { DownloadFile, type WantedDownload } from './files-of-download.ts'
import { RecordedFile } from './manifest.ts'

/** A part of the manifest, the path of a file that is wanted, or where the wanted part of the list or of a download starts. */
export type ManifestRequest =
  | { bytes: Uint8Array }
  | { path: string }
  | { from: number }
  | { download: WantedDownload; from: number }

const ManifestAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('more') }),
  z.object({ kind: z.literal('file'), file: RecordedFile.nullable() }),
  z.object({ kind: z.literal('list'), bytes: Bytes }),
  z.object({ kind: z.literal('download'), files: z.array(DownloadFile).nullable() }),
])
export type ManifestAnswer = z.infer<typeof ManifestAnswer>

const readManifest: ContentJob<null, ManifestRequest, ManifestAnswer> = {
  module: new URL('./manifest-work.ts', import.meta.url),
  answer: ManifestAnswer,
  /** 10,000 files with the longest paths take a second. */
  processorSeconds: 60,
}

/** Sending this many bytes takes a thread a millisecond. */
export const manifestPieceBytes = 512 * 1024

type Ask = (request: ManifestRequest) => Promise<ManifestAnswer>

/** A manifest that a run of an organization recorded. */
export type StoredManifest = { organizationId: string; bytes: Uint8Array }

const withManifest = <Result>(
  { organizationId, bytes }: StoredManifest,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> =>
  withContent(organizationId, readManifest, null, async (ask) => {
    for (let from = 0; from < bytes.byteLength; from += manifestPieceBytes)
      await ask({ bytes: bytes.subarray(from, from + manifestPieceBytes) })
    return work(ask)
  })

/** The fields `files` and `leftOut` of the list of changed files, as JSON without the braces around them. */
export const listFilesApart = (manifest: StoredManifest): Promise<Uint8Array[]> =>
  withManifest(manifest, async (ask) => {
    const parts: Uint8Array[] = []
    for (let from = 0; ; from += manifestPieceBytes) {
      const answer = await ask({ from })
      if (answer.kind !== 'list' || answer.bytes.byteLength === 0) return parts
      parts.push(answer.bytes)
    }
  })

/** The changed file with a path; null if there is none. */
export const findFileApart = (manifest: StoredManifest, path: string): Promise<RecordedFile | null> =>
  withManifest(manifest, async (ask) => {
    const answer = await ask({ path })
    return answer.kind === 'file' ? answer.file : null
  })

/** Checking this many takes the thread a millisecond. */
export const downloadFilesTogether = 200

/** The files of a download; null if none has the wanted path. */
export const findDownloadApart = (manifest: StoredManifest, download: WantedDownload): Promise<DownloadFile[] | null> =>
  withManifest(manifest, async (ask) => {
    const all: DownloadFile[] = []
    for (;;) {
      const answer = await ask({ download, from: all.length })
      if (answer.kind !== 'download' || answer.files === null) return null
      all.push(...answer.files)
      if (answer.files.length < downloadFilesTogether) return all
    }
  })
