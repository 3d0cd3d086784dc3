import { and, count, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { reports } from '#platform/ground/database/tables/reports.ts'

/** The rest of a longer report is not searched, so that a page of reports takes a bounded time. */
const maxBodyCharacters = 200_000

/** Before and after the start of a match. */
const excerpt = { before: 100, length: 460 }

export type ReportPlace = { updatedAt: string; id: string }

/** The next reports, last changed first, with the text around the first occurrence in those that have it. */
export async function findReportPage(
  db: Database,
  {
    organizationId,
    search,
    after,
    limit,
  }: { organizationId: string; search: string; after: ReportPlace | null; limit: number },
) {
  const body = sql`left(${reports.bodyMarkdown}, ${maxBodyCharacters}::int)`
  const place = sql<number>`position(lower(${search}) in lower(${body}))`
  return db
    .select({
      id: reports.id,
      title: reports.title,
      updatedAt: sql<string>`${reports.updatedAt}`.mapWith(toInstant),
      isInTitle: sql<boolean>`position(lower(${search}) in lower(${reports.title})) > 0`,
      excerpt: sql<string | null>`case when ${place} > 0
        then substr(${body}, greatest(${place} - ${excerpt.before}::int, 1), ${excerpt.length}::int) end`,
    })
    .from(reports)
    .where(
      and(
        eq(reports.organizationId, organizationId),
        after === null
          ? undefined
          : or(
              lt(reports.updatedAt, sql`${after.updatedAt}::timestamptz`),
              and(eq(reports.updatedAt, sql`${after.updatedAt}::timestamptz`), lt(reports.id, after.id)),
            ),
      ),
    )
    .orderBy(desc(reports.updatedAt), desc(reports.id))
    .limit(limit)
}

export async function countReports(db: Database, organizationId: string) {
  const [row] = await db.select({ total: count() }).from(reports).where(eq(reports.organizationId, organizationId))
  return row?.total ?? 0
}

export async function findExperimentNames(db: Database, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>()
  const rows = await db
    .select({ id: experiments.id, name: experiments.name })
    .from(experiments)
    .where(and(eq(experiments.organizationId, organizationId), inArray(experiments.id, [...ids])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
