import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'

import type { NotificationType } from '#contract/notification-types.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { mailItems, mailPeople, notificationChoices } from '#platform/ground/database/tables/mail.ts'

/** What people chose for a type, without those who never chose and get no email. */
export function findChoices(tx: Database, people: readonly string[], type: NotificationType) {
  // A single parameter for any number of people.
  const ids = people.join()
  return tx
    .select({
      userId: users.id,
      inApp: notificationChoices.inApp,
      mail: notificationChoices.mail,
      canGetMail: sql<boolean>`${and(eq(mailPeople.address, users.email), isNull(mailPeople.stoppedAt))} is true`,
    })
    .from(users)
    .leftJoin(mailPeople, eq(mailPeople.userId, users.id))
    .leftJoin(notificationChoices, and(eq(notificationChoices.userId, users.id), eq(notificationChoices.type, type)))
    .where(
      and(
        sql`${users.id} = any(string_to_array(${ids}, ',')::uuid[])`,
        or(isNotNull(mailPeople.address), isNotNull(notificationChoices.type)),
      ),
    )
}

/** A PostgreSQL statement has at most 65,535 parameters, and a row has six. */
const rowsPerStatement = 5000

export async function insertItems(
  tx: Database,
  people: readonly { userId: string; timing: 'now' | 'digest' }[],
  news: Omit<typeof mailItems.$inferInsert, 'position' | 'userId' | 'timing' | 'mailId'>,
) {
  for (let from = 0; from < people.length; from += rowsPerStatement)
    await tx
      .insert(mailItems)
      .values(people.slice(from, from + rowsPerStatement).map((person) => ({ ...news, ...person })))
      .onConflictDoNothing({ target: [mailItems.userId, mailItems.eventId] })
}
