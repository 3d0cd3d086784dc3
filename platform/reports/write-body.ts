import { citedInsights } from '#contract/report-blocks/cited-insights.ts'
import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/failures/failure.ts'
import type { Database } from '#platform/database/open-database.ts'
import { recordChange, replaceFindings } from './store.ts'

/** What every write of a report leaves behind it; a body that was not sent cites what it did. */
export async function recordWrite(tx: Database, id: string, updatedAt: string, bodyMarkdown?: string) {
  await recordChange(tx, id, updatedAt)
  if (bodyMarkdown !== undefined) await replaceFindings(tx, id, citedInsights(bodyMarkdown))
}

/** A canonical body may be a line end longer than what was sent, and an appended one much longer. */
export function refuseLongBody(bodyMarkdown: string) {
  if (Buffer.byteLength(bodyMarkdown) <= limits.reportBytes) return
  throw invalid(`The body would be longer than ${limits.reportBytes.toLocaleString('en')} bytes of UTF-8`)
}
