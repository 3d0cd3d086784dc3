import { eq, sql } from 'drizzle-orm'

import {
  defaultTiming,
  type EmailTiming,
  type NotificationChoice,
  notificationTypes,
} from '#contract/notification-choices.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { mailPeople, notificationChoices } from '#platform/ground/database/tables/mail.ts'

/** What a person gets of every type, chosen or usual, in the order of forms. */
export async function findChoices(db: Database, userId: string): Promise<NotificationChoice[]> {
  const rows = await db.select().from(notificationChoices).where(eq(notificationChoices.userId, userId))
  const chosen = new Map(rows.map((row) => [row.type, row]))
  return notificationTypes.map((type) => {
    const { inApp, mail } = chosen.get(type) ?? {}
    return { type, inApp: inApp ?? true, email: mail ?? defaultTiming(type) }
  })
}

export type ChangedChoice = { type: NotificationType; inApp?: boolean | undefined; email?: EmailTiming | undefined }

/** Leaves other types and fields as they are. Concurrent changes of one person run one after the other, in the order of types. */
export async function saveChoices(tx: Database, userId: string, choices: readonly ChangedChoice[]) {
  const byType = new Map<NotificationType, ChangedChoice>()
  for (const choice of choices) byType.set(choice.type, { ...byType.get(choice.type), ...withoutUndefined(choice) })
  const rows = [...byType.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1))
  if (rows.length === 0) return
  await tx
    .insert(notificationChoices)
    .values(rows.map(({ type, inApp = null, email = null }) => ({ userId, type, inApp, mail: email })))
    .onConflictDoUpdate({
      target: [notificationChoices.userId, notificationChoices.type],
      set: {
        inApp: sql`coalesce(excluded.in_app, ${notificationChoices.inApp})`,
        mail: sql`coalesce(excluded.mail, ${notificationChoices.mail})`,
      },
    })
}

const withoutUndefined = (choice: ChangedChoice) =>
  Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined)) as ChangedChoice

export async function findPerson(db: Database, userId: string) {
  const [row] = await db
    .select({ email: users.email, person: mailPeople })
    .from(users)
    .leftJoin(mailPeople, eq(mailPeople.userId, users.id))
    .where(eq(users.id, userId))
  if (!row) throw new Error('The caller is no person')
  return row
}

/** False if the person was deleted. */
export async function isPersonKnown(db: Database, userId: string) {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.id, userId))
  return found.length > 0
}

export type DigestTime = { digestHour: number; timeZone: string; nextDigestAt: string }

/** Makes the person a receiver of email, whose address is not confirmed yet, or changes them. */
/** An address that its person has confirmed, and to which email can be sent from now on. */
export type Confirmed = Pick<
  typeof mailPeople.$inferSelect,
  'address' | 'confirmedAt' | 'stoppedAt' | 'stopFault' | 'failures' | 'nextTryAt'
>

export const savePerson = (tx: Database, userId: string, now: string, set: DigestTime & Partial<Confirmed>) =>
  tx
    .insert(mailPeople)
    .values({ userId, nextTryAt: now, ...set })
    .onConflictDoUpdate({ target: mailPeople.userId, set })
