import { formatImage, type ImageTexts } from '#contract/report-blocks/images.ts'
import type { Hunk } from '#src/editor/text-hunks.ts'
import type { ShownImage } from '#src/markdown/ReportMarkdown.tsx'

/**
 * The change that gives an image other texts. Finds it near the place where it was shown, because others may have typed
 * before it. Undefined if it is no longer in the text.
 */
export function replaceImage(
  body: string,
  { image, place }: Pick<ShownImage, 'image' | 'place'>,
  texts: ImageTexts,
): Hunk | undefined {
  const pattern = String.raw`!\[(?:\\.|[^\]\\])*\]\(assay://images/${image.id}/\d+x\d+(?: "(?:\\.|[^"\\])*")?\)`
  const found = [...body.matchAll(new RegExp(pattern, 'g'))].toSorted(
    (a, b) => Math.abs(a.index - place.from) - Math.abs(b.index - place.from),
  )[0]
  if (!found) return undefined
  return { from: found.index, to: found.index + found[0].length, insert: formatImage(image, texts) }
}
