import type { Services } from '#platform/ground/context/context.ts'
import type { SegmentPlace } from './piece-turns.ts'
import type { RunAttempt } from './segments.ts'
import { findSegments } from './store.ts'

type SegmentReader = {
  /** Returns the last turn that it read, or null to stop. */
  read: (segment: Uint8Array, place: SegmentPlace) => Promise<number | null>
  /** A segment is lost, with this many turns. */
  lose: (turns: number) => void
}

/** Reads the segments of an attempt after a turn, in order, one in memory at a time. */
export async function readSegments(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  attempt: RunAttempt,
  afterSeq: number,
  { read, lose }: SegmentReader,
) {
  let after = afterSeq
  // The run may settle and merge its segments during this read. The second pass finds the merged segments.
  for (const isLastLook of [false, true]) {
    let isComplete = true
    for (const { blobKey, firstSeq, lastSeq } of await findSegments(db, attempt, after)) {
      const bytes = await blobs.get(blobKey)
      isComplete &&= bytes !== null
      if (!isComplete && !isLastLook) break
      if (!bytes) lose(lastSeq - Math.max(firstSeq - 1, after))
      const last = bytes ? await read(bytes, { firstSeq, after }) : lastSeq
      if (last === null) return
      after = last
    }
    if (isComplete) return
  }
}
