import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { runChanges } from '#platform/ground/database/tables/changes.ts'
import { mails } from '#platform/ground/database/tables/mail.ts'
import { notificationEntries } from '#platform/ground/database/tables/notifications.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'
import { runs, transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import { webhookDeliveries, webhooks } from '#platform/ground/database/tables/webhooks.ts'
import { isRemovable, type OldRuns } from './old-runs-store.ts'

const idsOf = (db: Database, old: OldRuns) => db.select({ id: runs.id }).from(runs).where(isRemovable(old))

/** In bytes. */
export async function sizeOfOutputs(db: Database, old: OldRuns): Promise<number> {
  const [row] = await db
    .select({
      bytes: sql<number>`coalesce(sum(octet_length(${capturedTests.stdoutTail}) + octet_length(${capturedTests.stderrTail})), 0)::float8`,
    })
    .from(capturedTests)
    .where(inArray(capturedTests.runId, idsOf(db, old)))
  return row?.bytes ?? 0
}

/** How many segments the runs have, and the keys of a random sample. */
export async function sampleSegments(db: Database, old: OldRuns, limit: number) {
  const ofRuns = inArray(transcriptSegments.runId, idsOf(db, old))
  const total = await db.$count(transcriptSegments, ofRuns)
  const rows = await db
    .select({ key: transcriptSegments.blobKey })
    .from(transcriptSegments)
    .where(ofRuns)
    .orderBy(sql`random()`)
    .limit(limit)
  return { total, keys: rows.map(({ key }) => key) }
}

/** How many runs have changes, and a random sample of them. */
export async function sampleChanges(db: Database, old: OldRuns, limit: number) {
  const ofRuns = inArray(runChanges.runId, idsOf(db, old))
  const total = await db.$count(runChanges, ofRuns)
  const rows = await db
    .select()
    .from(runChanges)
    .where(ofRuns)
    .orderBy(sql`random()`)
    .limit(limit)
  return { total, rows }
}

type Old = { organizationId: string; days: number }
type Found = { count: number; oldest: string | null }

const older = (at: unknown, days: number) => sql`${at} < clock_timestamp() - make_interval(days => ${days})`
const found = (at: unknown) => ({ count: sql<number>`count(*)::int`, oldest: sql<string | null>`min(${at})::text` })
const none: Found = { count: 0, oldest: null }

export async function countNotifications(db: Database, { organizationId, days }: Old): Promise<Found> {
  const { occurredAt } = notificationEntries
  const [row] = await db
    .select(found(occurredAt))
    .from(notificationEntries)
    .where(and(eq(notificationEntries.organizationId, organizationId), older(occurredAt, days)))
  return row ?? none
}

/** Of webhooks and of email. */
export async function countDeliveries(db: Database, { organizationId, days }: Old): Promise<Found[]> {
  const ofWebhooks = await db
    .select(found(webhookDeliveries.createdAt))
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(
        eq(webhooks.organizationId, organizationId),
        older(webhookDeliveries.createdAt, days),
        sql`(${webhookDeliveries.state} <> 'waiting' or ${webhooks.stopReason} is not null)`,
      ),
    )
  const ofMail = await db
    .select(found(mails.createdAt))
    .from(mails)
    .where(and(eq(mails.organizationId, organizationId), ne(mails.state, 'waiting'), older(mails.createdAt, days)))
  return [...ofWebhooks, ...ofMail]
}

export const findInsightsOverEverything = (db: Database, organizationId: string) =>
  db
    .select({ id: publications.insightId, heading: publications.heading })
    .from(publications)
    .where(
      and(
        eq(publications.organizationId, organizationId),
        isNull(publications.experimentId),
        isNull(publications.runId),
      ),
    )
    .orderBy(asc(publications.heading), asc(publications.id))
    .limit(50)
