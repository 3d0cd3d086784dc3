import { and, asc, desc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'

import type { MailState } from '#contract/mail.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { memberships, users } from '#platform/ground/database/tables/identity.ts'
import { mailPeople, mails } from '#platform/ground/database/tables/mail.ts'

const person = { id: users.id, name: users.name, email: users.email }

type LogPage = { state?: MailState | undefined; after?: readonly [string, string] | undefined; limit: number }

/** The emails to members of an organization about it, newest first. */
export const findLog = (db: Database, organizationId: string, { state, after, limit }: LogPage) =>
  db
    .select({ mail: mails, to: person })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(
      and(
        eq(mails.organizationId, organizationId),
        state && eq(mails.state, state),
        after && sql`(${mails.createdAt}, ${mails.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit)

export type LogRow = Awaited<ReturnType<typeof findLog>>[number]

/** Emails that wait after a failed attempt. */
export const countFailing = (db: Database, organizationId: string) =>
  db.$count(mails, and(eq(mails.organizationId, organizationId), eq(mails.state, 'waiting'), gt(mails.attempts, 0)))

/** The current members of an organization to whom nothing is sent. */
export const findStopped = (db: Database, organizationId: string) =>
  db
    .select({ ...person, stoppedAt: mailPeople.stoppedAt, fault: mailPeople.stopFault })
    .from(mailPeople)
    .innerJoin(users, eq(users.id, mailPeople.userId))
    .innerJoin(
      memberships,
      and(eq(memberships.userId, mailPeople.userId), eq(memberships.organizationId, organizationId)),
    )
    .where(isNotNull(mailPeople.stoppedAt))
    .orderBy(asc(users.email))

export async function isMember(db: Database, organizationId: string, userId: string) {
  const found = await db
    .select({ one: sql`1` })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return found.length > 0
}

/** How many confirmations and tests were sent since a time: to a person, and in an organization. */
export async function countByHand(
  db: Database,
  { userId, organizationId, since }: { userId: string; organizationId: string; since: string },
) {
  const [row] = await db
    .select({
      toPerson: sql<number>`(count(*) filter (where ${mails.userId} = ${userId}))::int`,
      inOrganization: sql<number>`(count(*) filter (where ${mails.organizationId} = ${organizationId}))::int`,
    })
    .from(mails)
    .where(and(inArray(mails.kind, ['confirmation', 'test']), gt(mails.createdAt, since)))
  return row ?? { toPerson: 0, inOrganization: 0 }
}

/** Requests of one person run one after the other, so that they can be counted. */
export const lockPerson = (tx: Database, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
