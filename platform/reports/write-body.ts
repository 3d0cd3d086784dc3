import { citedInsights } from '#contract/report-blocks/cited-insights.ts'
import { citedFigures } from '#contract/report-blocks/chart-blocks.ts'
import { citedImages } from '#contract/report-blocks/images.ts'
import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/failures/failure.ts'
import type { Database } from '#platform/database/open-database.ts'
import { replaceImageUses } from './file-store.ts'
import { recordChange, replaceFindings } from './store.ts'

/** Records a write: the change, the cited insights, the images and the pinned figures. Without a new body, these stay the same. */
export async function recordWrite(tx: Database, id: string, updatedAt: string, bodyMarkdown?: string) {
  await recordChange(tx, id, updatedAt)
  if (bodyMarkdown === undefined) return
  await replaceFindings(tx, id, citedInsights(bodyMarkdown))
  await replaceImageUses(tx, id, [...citedImages(bodyMarkdown), ...citedFigures(bodyMarkdown)])
}

/**
 * Checks the body after canonicalization: it may be one line end longer than the text sent, and an appended body much
 * longer.
 */
export function refuseLongBody(bodyMarkdown: string) {
  if (Buffer.byteLength(bodyMarkdown) <= limits.reportBytes) return
  throw invalid(`The body would be longer than ${limits.reportBytes.toLocaleString('en')} bytes of UTF-8`)
}
