import { citedInsights } from '#contract/report-blocks/cited-insights.ts'
import { citedFigures } from '#contract/report-blocks/chart-blocks.ts'
import { citedImages } from '#contract/report-blocks/images.ts'
import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { replaceFileUses } from './file-store.ts'
import { recordVersion } from './record-version.ts'
import { moveParagraphs } from './track-paragraph.ts'
import { recordChange, replaceFindings } from './store.ts'

type BodyChange = { before: string; after: string }

/**
 * Records a write of the report's row: the change, the version, and with a new body the cited insights, the images, the pinned figures, and where commented paragraphs are.
 */
export async function recordWrite(
  tx: Database,
  id: string,
  updatedAt: string,
  body?: BodyChange,
  version = { isOwn: false },
) {
  await recordChange(tx, id, updatedAt)
  if (body) await recordBody(tx, id, body)
  await recordVersion(tx, id, version)
}

async function recordBody(tx: Database, id: string, body: BodyChange) {
  const { after: bodyMarkdown } = body
  await moveParagraphs(tx, id, body)
  await replaceFindings(tx, id, citedInsights(bodyMarkdown))
  await replaceFileUses(tx, id, [...citedImages(bodyMarkdown), ...citedFigures(bodyMarkdown)])
}

/**
 * Checks the body after canonicalization: it may be one line end longer than the text sent, and an appended body much
 * longer.
 */
export function refuseLongBody(bodyMarkdown: string) {
  if (Buffer.byteLength(bodyMarkdown) <= limits.reportBytes) return
  throw invalid(`The body would be longer than ${limits.reportBytes.toLocaleString('en')} bytes of UTF-8`)
}
