import type { ContentJob } from '#platform/ground/content/content-job.ts'
import { withContent } from '#platform/ground/content/content-pool.ts'
import { FoundTurns, type PageRequest, pageFinder } from './find-page-turns.ts'
import { piecesOf, type SegmentPiece, type SegmentPlace } from './piece-turns.ts'

const readPage: ContentJob<null, PageRequest, FoundTurns> = {
  module: new URL('./page-work.ts', import.meta.url),
  answer: FoundTurns,
  /** A segment of 8 MiB takes a third of a second. */
  processorSeconds: 60,
}

/** Reading a smaller segment takes no longer than sending it to a process. */
export const smallSegmentBytes = 64 * 1024

/** Yields the turns of a segment for a page, piece by piece, until the page is full. A content process reads a large one. */
export async function readPageApart(
  organizationId: string,
  segment: Uint8Array,
  place: SegmentPlace,
  { requestFor, add }: { requestFor: (piece: SegmentPiece) => PageRequest; add: (found: FoundTurns) => void },
): Promise<void> {
  const readAll = async (ask: (request: PageRequest) => FoundTurns | Promise<FoundTurns>) => {
    for (const piece of piecesOf(segment, place)) {
      const found = await ask(requestFor(piece))
      add(found)
      if (found.isFull) return
    }
  }
  if (segment.byteLength <= smallSegmentBytes) await readAll(pageFinder())
  else await withContent(organizationId, readPage, null, readAll)
}
