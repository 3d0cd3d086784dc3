import { z } from 'zod'

import { ChangedFile } from '#contract/changes.ts'
import type { Blobs } from '#platform/ground/blobs/blobs.ts'
import type { RunAttempt } from '#platform/queue/transcripts/segments.ts'
import { getZipped, manifestKey } from './pack-files.ts'

const Place = z.object({ pack: z.int(), start: z.int(), length: z.int() })

/** A changed file, and where its contents are. */
export const RecordedFile = ChangedFile.extend({
  places: z.object({ before: Place.nullable(), after: Place.nullable() }),
})
export type RecordedFile = z.infer<typeof RecordedFile>

/** All changes of a run, by path. */
export const Manifest = z.object({ files: z.array(RecordedFile), leftOut: z.array(z.string()) })
export type Manifest = z.infer<typeof Manifest>

export const parseManifest = (bytes: Uint8Array): Manifest => Manifest.parse(JSON.parse(Buffer.from(bytes).toString()))

/** Its bytes. Null when the storage has lost it. */
export const getManifest = (blobs: Blobs, run: RunAttempt): Promise<Buffer | null> => getZipped(blobs, manifestKey(run))
