import { and, desc, eq, inArray, sql } from 'drizzle-orm'

import { isUuid } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import {
  reportImageUses,
  reports,
  reportVersionFiles,
  reportVersions,
} from '#platform/ground/database/tables/reports.ts'

const { id, reportId, title, startedAt, savedAt, description, bodyMarkdown } = reportVersions
const own = { id, title, startedAt, savedAt }
const savedBy = { id: users.id, name: users.name }
const newestFirst = desc(savedAt)

export const findVersions = (db: Database, ofReport: string) =>
  db
    .select({ ...own, savedBy })
    .from(reportVersions)
    .innerJoin(users, eq(users.id, reportVersions.savedBy))
    .where(eq(reportId, ofReport))
    .orderBy(newestFirst)

export async function findVersion(db: Database, ofReport: string, versionId: string) {
  const [row] = await db
    .select({ version: own, savedBy, description, bodyMarkdown })
    .from(reportVersions)
    .innerJoin(users, eq(users.id, reportVersions.savedBy))
    .where(and(eq(reportId, ofReport), isUuid(id, versionId)))
  return row && { ...row, version: { ...row.version, savedBy: row.savedBy } }
}

/** The sizes of a report's versions, oldest first. */
export const measureVersions = (tx: Database, ofReport: string) =>
  tx
    .select({ id, savedAt, bytes: sql<number>`octet_length(${bodyMarkdown})`.mapWith(Number) })
    .from(reportVersions)
    .where(eq(reportId, ofReport))
    .orderBy(savedAt)

/** The id of the newest version, if a save by the same person at the report's time belongs to it. */
export async function findOpenVersion(tx: Database, ofReport: string, minutes: number) {
  const [newest] = await tx
    .select({
      id,
      isOpen: sql<boolean>`${reportVersions.savedBy} = ${reports.updatedBy}
        and ${startedAt} > ${reports.updatedAt} - make_interval(mins => ${minutes}::int)`,
    })
    .from(reportVersions)
    .innerJoin(reports, eq(reports.id, reportId))
    .where(eq(reportId, ofReport))
    .orderBy(newestFirst)
    .limit(1)
  return newest?.isOpen ? newest.id : undefined
}

/** Adds the report as it is now. */
export async function insertVersion(tx: Database, versionId: string, ofReport: string) {
  await tx.execute(sql`insert into ${reportVersions}
    (id, report_id, title, description, body_markdown, saved_by, started_at, saved_at)
    select ${versionId}::uuid, ${reports.id}, ${reports.title}, ${reports.description}, ${reports.bodyMarkdown},
      ${reports.updatedBy}, ${reports.updatedAt}, ${reports.updatedAt}
    from ${reports} where ${reports.id} = ${ofReport}::uuid`)
}

/** Replaces what a version has by the report as it is now. */
export async function replaceVersion(tx: Database, versionId: string, ofReport: string) {
  await tx.execute(sql`update ${reportVersions} set title = ${reports.title}, description = ${reports.description},
      body_markdown = ${reports.bodyMarkdown}, saved_at = ${reports.updatedAt}
    from ${reports} where ${reports.id} = ${ofReport}::uuid and ${id} = ${versionId}::uuid`)
}

/** The files of the report as it is now become those of the version. */
export async function copyFileUses(tx: Database, versionId: string, ofReport: string) {
  await tx.delete(reportVersionFiles).where(eq(reportVersionFiles.versionId, versionId))
  await tx.execute(sql`insert into ${reportVersionFiles} (version_id, file_id)
    select ${versionId}::uuid, ${reportImageUses.imageId} from ${reportImageUses}
    where ${reportImageUses.reportId} = ${ofReport}::uuid`)
}

export const removeVersions = (tx: Database, ids: readonly string[]) =>
  tx.delete(reportVersions).where(inArray(id, [...ids]))
