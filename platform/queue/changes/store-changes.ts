import type { Services } from '#platform/ground/context/context.ts'
import { retryDuringOutages } from '#platform/ground/failures/retry-during-outages.ts'
import type { RunAttempt } from '#platform/queue/transcripts/segments.ts'
import { type ChangesPart, partKey } from './pack-files.ts'

/** The blobs of a run's changes: the manifest and this many packs. */
export type WrittenChanges = { packs: number }

/** Stores the blobs of a run's changes as they come. Returns null if `signal` stopped them. */
export async function storeChanges(
  { blobs }: Pick<Services, 'blobs'>,
  run: RunAttempt,
  parts: AsyncIterable<ChangesPart>,
  signal: AbortSignal,
): Promise<WrittenChanges | null> {
  let packs = 0
  for await (const part of parts) {
    await retryDuringOutages(() => blobs.put(partKey(run, part), part.bytes), signal)
    if (part.pack === 'manifest') return { packs }
    packs += 1
  }
  return null
}
