import { eq, inArray, sql } from 'drizzle-orm'

import type { Anchor } from '#contract/report-blocks/paragraphs.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { reportParagraphs } from '#platform/ground/database/tables/reports.ts'

export const insertParagraph = (tx: Database, paragraph: typeof reportParagraphs.$inferInsert) =>
  tx.insert(reportParagraphs).values(paragraph)

export const findParagraphs = (tx: Database, reportId: string) =>
  tx.select().from(reportParagraphs).where(eq(reportParagraphs.reportId, reportId))

/** One statement for any number of paragraphs. */
export async function changeAnchors(tx: Database, moved: readonly (Anchor & { id: string })[]) {
  await tx.execute(sql`update ${reportParagraphs} set quote = moved.quote, position = moved.position
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as moved(id uuid, quote text, position integer)
    where ${reportParagraphs.id} = moved.id`)
}

export const removeParagraphs = (tx: Database, ids: readonly string[]) =>
  tx.delete(reportParagraphs).where(inArray(reportParagraphs.id, [...ids]))
