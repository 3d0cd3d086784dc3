import { and, asc, count, desc, eq, gt, inArray, isNull, lte, ne, notExists, or, sql } from 'drizzle-orm'

import type { MailState } from '#contract/mail.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { memberships, organizations } from '#platform/ground/database/tables/identity.ts'
import { mailItems, mails } from '#platform/ground/database/tables/mail.ts'
import { notificationEntries, notificationEvents } from '#platform/ground/database/tables/notifications.ts'

export type MailRow = typeof mails.$inferSelect

const waitingMails = (tx: Database, userId: string) =>
  tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.state, 'waiting')))

/** Items that were not sent yet. */
const isOpen = (tx: Database, userId: string) =>
  and(eq(mailItems.userId, userId), or(isNull(mailItems.mailId), inArray(mailItems.mailId, waitingMails(tx, userId))))

/** Forgets what the person may no longer read, or no longer wants, and cancels emails that say nothing then. */
export async function dropUnwanted(tx: Database, userId: string, off: readonly NotificationType[]) {
  const membership = tx
    .select({ one: sql`1` })
    .from(memberships)
    .where(
      and(
        eq(memberships.userId, userId),
        or(isNull(mailItems.organizationId), eq(memberships.organizationId, mailItems.organizationId)),
      ),
    )
  await tx
    .delete(mailItems)
    .where(
      and(
        isOpen(tx, userId),
        or(notExists(membership), off.length > 0 ? inArray(mailItems.type, [...off]) : undefined),
      ),
    )
  const item = tx
    .select({ one: sql`1` })
    .from(mailItems)
    .where(eq(mailItems.mailId, mails.id))
  await tx
    .update(mails)
    .set({ state: 'canceled' })
    .where(and(eq(mails.userId, userId), eq(mails.state, 'waiting'), notExists(item)))
}

/** The person has seen these in the app before their digest was due. */
export const dropRead = (tx: Database, userId: string) =>
  tx.delete(mailItems).where(
    and(
      eq(mailItems.userId, userId),
      isNull(mailItems.mailId),
      eq(mailItems.timing, 'digest'),
      inArray(
        mailItems.eventId,
        tx
          .select({ id: notificationEntries.eventId })
          .from(notificationEntries)
          .where(and(eq(notificationEntries.userId, userId), sql`${notificationEntries.readAt} is not null`)),
      ),
    ),
  )

export async function findWaitingMail(tx: Database, userId: string): Promise<MailRow | null> {
  const [row] = await tx
    .select()
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.state, 'waiting')))
    .orderBy(asc(mails.createdAt), asc(mails.id))
    .limit(1)
  return row ?? null
}

/** The organizations of the items that wait, those of the oldest item first. */
export function findWaitingGroups(tx: Database, userId: string, timing: 'now' | 'digest') {
  return tx
    .select({
      organizationId: mailItems.organizationId,
      total: count(),
      first: sql<number>`min(${mailItems.position})::int8`.mapWith(Number),
      last: sql<number>`max(${mailItems.position})::int8`.mapWith(Number),
    })
    .from(mailItems)
    .where(and(eq(mailItems.userId, userId), isNull(mailItems.mailId), eq(mailItems.timing, timing)))
    .groupBy(mailItems.organizationId)
    .orderBy(sql`min(${mailItems.position})`)
}

export type NewMail = typeof mails.$inferInsert

export const insertMail = (tx: Database, mail: NewMail) => tx.insert(mails).values(mail)

export const setSubject = (tx: Database, mailId: string, subject: string) =>
  tx.update(mails).set({ subject }).where(eq(mails.id, mailId))

type Items = { userId: string; organizationId: string | null; timing: 'now' | 'digest'; last: number }

/** Puts the items up to a position into an email. */
export const assignItems = (tx: Database, mailId: string, { userId, organizationId, timing, last }: Items) =>
  tx
    .update(mailItems)
    .set({ mailId })
    .where(
      and(
        eq(mailItems.userId, userId),
        isNull(mailItems.mailId),
        eq(mailItems.timing, timing),
        organizationId === null ? isNull(mailItems.organizationId) : eq(mailItems.organizationId, organizationId),
        lte(mailItems.position, last),
      ),
    )

/** The events of an email, oldest first. */
export const findItems = (tx: Database, mailId: string, limit: number) =>
  tx
    .select({
      item: mailItems,
      event: notificationEvents,
      slug: organizations.slug,
      organizationName: organizations.name,
    })
    .from(mailItems)
    .innerJoin(notificationEvents, eq(notificationEvents.id, mailItems.eventId))
    .leftJoin(organizations, eq(organizations.id, mailItems.organizationId))
    .where(eq(mailItems.mailId, mailId))
    .orderBy(asc(mailItems.position))
    .limit(limit)

export type ItemRow = Awaited<ReturnType<typeof findItems>>[number]

export const countItems = (tx: Database, mailId: string) => tx.$count(mailItems, eq(mailItems.mailId, mailId))

/** When the newest emails were made, newest first, without digests and those that a person asked for. */
export async function findRecentTimes(
  tx: Database,
  userId: string,
  { since, limit }: { since: string; limit: number },
) {
  const rows = await tx
    .select({ at: mails.createdAt })
    .from(mails)
    .where(and(eq(mails.userId, userId), inArray(mails.kind, ['event', 'summary']), gt(mails.createdAt, since)))
    .orderBy(desc(mails.createdAt))
    .limit(limit)
  return rows.map(({ at }) => at)
}

type Tried = { state: MailState; at: string; fault: string | null }

export const recordAttempt = (tx: Database, mailId: string, { state, at, fault }: Tried) =>
  tx
    .update(mails)
    .set({
      state,
      fault,
      lastTryAt: at,
      firstTryAt: sql`coalesce(${mails.firstTryAt}, ${at}::timestamptz)`,
      attempts: sql`${mails.attempts} + 1`,
      ...(state === 'sent' && { sentAt: at }),
    })
    .where(eq(mails.id, mailId))

/** Deletes old emails with their items, and items that waited for too long. Returns how many. */
export async function removeOld(
  db: Database,
  { days, waitingDays, limit }: { days: number; waitingDays: number; limit: number },
) {
  const olderThan = (column: typeof mails.createdAt | typeof mailItems.createdAt, age: number) =>
    sql`${column} < clock_timestamp() - make_interval(days => ${age})`
  const oldMails = db.select({ id: mails.id }).from(mails).where(olderThan(mails.createdAt, days)).limit(limit)
  const removed = await db.delete(mails).where(inArray(mails.id, oldMails)).returning({ id: mails.id })
  const oldItems = db
    .select({ position: mailItems.position })
    .from(mailItems)
    .where(and(isNull(mailItems.mailId), olderThan(mailItems.createdAt, waitingDays)))
    .limit(limit)
  const dropped = await db
    .delete(mailItems)
    .where(inArray(mailItems.position, oldItems))
    .returning({ position: mailItems.position })
  return Math.max(removed.length, dropped.length)
}

/** Deletes emails of an organization that were sent, or failed, with their items. Returns how many. */
export async function removeMailsOf(
  db: Database,
  { organizationId, days, limit }: { organizationId: string; days: number; limit: number },
) {
  const old = db
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.organizationId, organizationId),
        ne(mails.state, 'waiting'),
        sql`${mails.createdAt} < clock_timestamp() - make_interval(days => ${days})`,
      ),
    )
    .limit(limit)
  return (await db.delete(mails).where(inArray(mails.id, old)).returning({ id: mails.id })).length
}
