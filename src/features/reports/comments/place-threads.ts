import { moveAnchors, type Paragraph, paragraphFinder, paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import type { ReportThread } from '#contract/report-comments.ts'

/** `place` is the paragraph of the shown text; null if it is no longer there. */
export type PlacedThread = { thread: ReportThread; place: Paragraph | null }

/** Finds the paragraphs of threads in the shown text, which may be ahead of the stored one. In the order of the text. */
export function placeThreads(
  threads: readonly ReportThread[],
  { stored, shown }: { stored: string; shown: string },
): PlacedThread[] {
  const find = paragraphFinder(paragraphsOf(shown))
  const anchors = stored === shown ? threads : moveAnchors(stored, shown, threads)
  const placed = threads.map((thread, at) => {
    const anchor = anchors[at]
    return { thread, place: anchor ? find(anchor) : null }
  })
  const positionOf = ({ place }: PlacedThread) => place?.from ?? Number.POSITIVE_INFINITY
  return placed.toSorted((a, b) => positionOf(a) - positionOf(b) || 0)
}
