import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { Anchor } from '#contract/report-blocks/paragraphs.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import { isUuid } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import {
  reportChanges,
  reportClocks,
  reportFindings,
  reportParagraphs,
  reports,
  reportWriters,
} from '#platform/ground/database/tables/reports.ts'

export type ReportKey = { organizationId: string; reportId: string }

const creator = alias(users, 'creator')
const updater = alias(users, 'updater')
const { bodyMarkdown, ...withoutBody } = getTableColumns(reports)
const actors = {
  creator: { id: creator.id, email: creator.email, name: creator.name },
  updater: { id: updater.id, email: updater.email, name: updater.name },
}

const isReport = ({ organizationId, reportId }: ReportKey) =>
  and(eq(reports.organizationId, organizationId), isUuid(reports.id, reportId))

/**
 * `readAt` is the time of the first page, whose order all pages show; `before` is the position where the previous page
 * ended.
 */
export type ListPosition = { readAt: string; before: string }

/**
 * Lists reports, most recently changed first, as of `readAt`: reports changed since then keep their position, and
 * reports created since then are missing.
 */
export async function findReports(db: Database, organizationId: string, limit: number, from?: ListPosition) {
  const changedBefore = sql`(select max(${reportChanges.changedAt}) from ${reportChanges}
    where ${reportChanges.reportId} = ${reports.id} and ${reportChanges.changedAt} <= ${from?.readAt}::timestamptz)`
  const place = from
    ? sql`case when ${reports.updatedAt} <= ${from.readAt}::timestamptz then ${reports.updatedAt} else ${changedBefore} end`
    : reports.updatedAt
  const found = db
    .select({ id: reports.id, place: sql<string>`${place}`.mapWith(toInstant).as('place') })
    .from(reports)
    .where(eq(reports.organizationId, organizationId))
    .as('found')
  return db
    .select({ report: withoutBody, ...actors, place: found.place })
    .from(found)
    .innerJoin(reports, eq(reports.id, found.id))
    .innerJoin(creator, eq(creator.id, reports.createdBy))
    .innerJoin(updater, eq(updater.id, reports.updatedBy))
    .where(from && sql`${found.place} < ${from.before}::timestamptz`)
    .orderBy(desc(found.place))
    .limit(limit)
}

export async function findReport(db: Database, key: ReportKey) {
  const [row] = await db
    .select({ report: withoutBody, bodyMarkdown, ...actors })
    .from(reports)
    .innerJoin(creator, eq(creator.id, reports.createdBy))
    .innerJoin(updater, eq(updater.id, reports.updatedBy))
    .where(isReport(key))
  return row ?? null
}

export type ReportRow = NonNullable<Awaited<ReturnType<typeof findReport>>>

/** Makes this transaction the only one that writes reports of the organization, and returns the time of its changes. */
export async function lockReportsClock(tx: Database, organizationId: string): Promise<string> {
  const [row] = await tx
    .insert(reportClocks)
    .values({ organizationId, changedAt: sql`clock_timestamp()` })
    .onConflictDoUpdate({
      target: reportClocks.organizationId,
      set: { changedAt: sql`greatest(clock_timestamp(), ${reportClocks.changedAt} + interval '1 microsecond')` },
    })
    .returning({ changedAt: reportClocks.changedAt })
  if (!row) throw new Error('the reports clock returned no time')
  return row.changedAt
}

/** Returns undefined if the report does not exist. Compares moments, in any notation. */
export async function lockReportRow(tx: Database, key: ReportKey, expectedUpdatedAt?: string) {
  const { id, title, updatedAt } = reports
  const isAsExpected = sql<boolean>`coalesce(${updatedAt} = ${expectedUpdatedAt ?? null}::timestamptz, true)`
  const [row] = await tx
    .select({ id, title, updatedAt, bodyMarkdown, isAsExpected })
    .from(reports)
    .where(isReport(key))
    .for('update')
  return row
}

export async function findReportId(db: Database, key: ReportKey): Promise<string | undefined> {
  const [row] = await db.select({ id: reports.id }).from(reports).where(isReport(key))
  return row?.id
}

export const insertReport = (tx: Database, report: typeof reports.$inferInsert) => tx.insert(reports).values(report)

export type ReportChange = Partial<
  Omit<typeof reports.$inferInsert, 'id' | 'organizationId' | 'createdBy' | 'createdAt'>
>

export const changeReport = (
  tx: Database,
  id: string,
  change: ReportChange & { updatedBy: string; updatedAt: string },
) => tx.update(reports).set(change).where(eq(reports.id, id))

/** Also deletes changes that only page tokens older than a day would need. */
export async function recordChange(tx: Database, reportId: string, changedAt: string) {
  await tx.insert(reportChanges).values({ reportId, changedAt })
  await tx.delete(reportChanges).where(
    sql`${reportChanges.reportId} = ${reportId} and ${reportChanges.changedAt} < (select max(c.changed_at)
      from ${reportChanges} c where c.report_id = ${reportId} and c.changed_at <= ${changedAt}::timestamptz - interval '1 day')`,
  )
}

export async function replaceFindings(tx: Database, reportId: string, refs: readonly string[]) {
  const cited = sql`jsonb_array_elements_text(${JSON.stringify(refs)}::jsonb)`
  await tx
    .delete(reportFindings)
    .where(sql`${reportFindings.reportId} = ${reportId} and ${reportFindings.insightRef} not in (select ${cited})`)
  await tx.execute(
    sql`insert into ${reportFindings} (report_id, insight_ref) select ${reportId}::uuid, ${cited} on conflict do nothing`,
  )
}

export const addWriter = (tx: Database, reportId: string, userId: string) =>
  tx.insert(reportWriters).values({ reportId, userId }).onConflictDoNothing()

export const findWriters = async (tx: Database, reportId: string) =>
  (await tx.select().from(reportWriters).where(eq(reportWriters.reportId, reportId))).map(({ userId }) => userId)

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

/** Returns how many insights the deleted report cited. */
export async function removeReport(tx: Database, id: string): Promise<number> {
  const findings = await tx.$count(reportFindings, eq(reportFindings.reportId, id))
  await tx.delete(reports).where(eq(reports.id, id))
  return findings
}
