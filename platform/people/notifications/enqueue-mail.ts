import { defaultTiming } from '#contract/notification-choices.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findChoices, insertItems } from './mail-outbox-store.ts'

export type Readers = { inApp: string[]; byMail: { userId: string; timing: 'now' | 'digest' }[] }

/** Those of some people who want notifications of a type in the app, and those who get them by email. */
export async function findReaders(tx: Database, people: readonly string[], type: NotificationType): Promise<Readers> {
  if (people.length === 0) return { inApp: [], byMail: [] }
  const usual = defaultTiming(type)
  const found = await findChoices(tx, people, type)
  const byMail = found.flatMap(({ userId, mail, canGetMail }) => {
    const timing = mail ?? usual
    return canGetMail && timing !== 'off' ? [{ userId, timing }] : []
  })
  const muted = new Set(found.filter(({ inApp }) => inApp === false).map(({ userId }) => userId))
  return { inApp: people.filter((userId) => !muted.has(userId)), byMail }
}

type News = { eventId: string; organizationId: string | null; type: NotificationType }

/**
 * Puts a notification in the queue of those who get it by email, in the transaction of its change. The caller holds the
 * lock of the organization's notifications, so positions are in the order of commits.
 */
export async function enqueueMail(tx: Database, byMail: Readers['byMail'], news: News) {
  if (byMail.length > 0) await insertItems(tx, byMail, { ...news, createdAt: await clockNow(tx) })
}
