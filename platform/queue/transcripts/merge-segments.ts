import type { Blobs } from '#platform/ground/blobs/blobs.ts'
import { someAtOnce } from '#platform/ground/blobs/some-at-once.ts'
import { type RunAttempt, type Segment, segmentKey, sum } from './segments.ts'

/** Larger segments would make a reader of a few turns load too much. */
const mergedBytes = 8 * 1024 * 1024

/**
 * Joins neighboring segments into as few blobs as possible, each below 8 MiB. Writes the new blobs; the caller replaces
 * the rows in its own transaction and then deletes `obsoleteKeys`, or `createdKeys` if the transaction failed.
 */
export async function mergeSegments(blobs: Blobs, run: RunAttempt, segments: readonly Segment[]) {
  const merged: Segment[] = []
  const obsoleteKeys: string[] = []
  const createdKeys: string[] = []
  for (const group of groupBySize(segments)) {
    const [first] = group
    const last = group.at(-1)
    if (!first || !last) continue
    const keys = group.map(({ blobKey }) => blobKey)
    const parts = group.length > 1 ? await someAtOnce(keys, (key) => blobs.get(key)) : []
    const found = parts.filter((part) => part !== null)
    // A missing part must stay visible, and a merge without it must not overwrite an earlier one.
    if (group.length === 1 || found.length < group.length) {
      merged.push(...group)
      continue
    }
    const bytes = Buffer.concat(found)
    const blobKey = segmentKey(run, first.firstSeq, last.lastSeq)
    await blobs.put(blobKey, bytes)
    createdKeys.push(blobKey)
    obsoleteKeys.push(...keys)
    merged.push({
      firstSeq: first.firstSeq,
      lastSeq: last.lastSeq,
      turnCount: sum(group.map((segment) => segment.turnCount)),
      reasoningTurnCount: sum(group.map((segment) => segment.reasoningTurnCount)),
      blobKey,
      imageKeys: group.flatMap(({ imageKeys }) => imageKeys),
      bytes: bytes.byteLength,
    })
  }
  return { segments: merged, obsoleteKeys, createdKeys }
}

function groupBySize(segments: readonly Segment[]) {
  const groups: Segment[][] = []
  let size = 0
  for (const segment of segments) {
    const group = groups.at(-1)
    if (group && size + segment.bytes <= mergedBytes) {
      group.push(segment)
      size += segment.bytes
    } else {
      groups.push([segment])
      size = segment.bytes
    }
  }
  return groups
}
