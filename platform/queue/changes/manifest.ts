import { z } from 'zod'

import { ChangedFile } from '#contract/changes.ts'
import type { Blobs } from '#platform/ground/blobs/blobs.ts'
import type { RunAttempt } from '#platform/queue/transcripts/segments.ts'
import { getZipped, manifestKey } from './pack-files.ts'

const Place = z.object({ pack: z.int(), start: z.int(), length: z.int() })

/** A changed file, and where its contents are. */
const RecordedFile = ChangedFile.extend({ places: z.object({ before: Place.nullable(), after: Place.nullable() }) })
export type RecordedFile = z.infer<typeof RecordedFile>

/** All changes of a run, by path. */
export const Manifest = z.object({ files: z.array(RecordedFile), leftOut: z.array(z.string()) })
export type Manifest = z.infer<typeof Manifest>

/** Null when the storage has lost it. */
export async function readManifest(blobs: Blobs, run: RunAttempt): Promise<Manifest | null> {
  const bytes = await getZipped(blobs, manifestKey(run))
  return bytes && Manifest.parse(JSON.parse(bytes.toString()))
}
