import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { organizations } from '#platform/identity/tables.ts'
import { checkoutSessions } from '#platform/credits/tables.ts'
import type { HostedPage } from './payments.ts'

type NewSession = Pick<
  typeof checkoutSessions.$inferInsert,
  'id' | 'organizationId' | 'userId' | 'provider' | 'amountMicros' | 'createdAt'
>

/** Before the provider is asked: a payment it takes is then never unknown to us. */
export async function insertSession(db: Database, session: NewSession) {
  await db.insert(checkoutSessions).values({ ...session, status: 'created', expiresAt: session.createdAt })
}

export async function setHostedPage(db: Database, id: string, { providerId, url, expiresAt }: HostedPage) {
  await db
    .update(checkoutSessions)
    .set({ providerId, url, expiresAt: new Date(expiresAt).toISOString() })
    .where(eq(checkoutSessions.id, id))
}

export async function findSession(db: Database, id: string) {
  const [row] = await db.select().from(checkoutSessions).where(eq(checkoutSessions.id, id))
  return row ?? null
}

/** A local payment by the id its page has, with whom it is for. */
export async function findLocalSession(db: Database, providerId: string) {
  const [row] = await db
    .select({ session: checkoutSessions, organizationName: organizations.name, organizationSlug: organizations.slug })
    .from(checkoutSessions)
    .innerJoin(organizations, eq(organizations.id, checkoutSessions.organizationId))
    .where(and(eq(checkoutSessions.provider, 'local'), eq(checkoutSessions.providerId, providerId)))
  return row ?? null
}

/** Money that was taken is credit, even if the session was said to have expired. */
export const markPaid = (db: Database, id: string) =>
  db
    .update(checkoutSessions)
    .set({ status: 'paid', paidAt: sql`now()` })
    .where(and(eq(checkoutSessions.id, id), inArray(checkoutSessions.status, ['created', 'expired'])))

export async function markExpired(db: Database, id: string) {
  await db
    .update(checkoutSessions)
    .set({ status: 'expired' })
    .where(and(eq(checkoutSessions.id, id), eq(checkoutSessions.status, 'created')))
}

const shownSessions = 20

/** Those that came to a page, newest first. */
export const findRecentSessions = (db: Database, organizationId: string) =>
  db
    .select()
    .from(checkoutSessions)
    .where(
      and(
        eq(checkoutSessions.organizationId, organizationId),
        gt(checkoutSessions.createdAt, sql`now() - interval '1 day'`),
        sql`${checkoutSessions.providerId} is not null`,
      ),
    )
    .orderBy(desc(checkoutSessions.createdAt))
    .limit(shownSessions)
