import { defaultTiming } from '#contract/notification-choices.ts'
import type { NotificationType } from '#contract/notification-types.ts'
import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { findChoices, insertItems } from './store.ts'

type News = { eventId: string; organizationId: string | null; type: NotificationType }

/**
 * Puts a notification in the queue of those who want it by email, in the transaction of its change, and returns the
 * people who want it in the app. The caller holds the lock of the organization's notifications, so positions are in the
 * order of commits.
 */
export async function enqueueMail(tx: Database, people: readonly string[], { type, ...news }: News): Promise<string[]> {
  const usual = defaultTiming(type)
  const found = await findChoices(tx, people, type)
  const wanted = found.flatMap(({ userId, mail, canGetMail }) => {
    const timing = mail ?? usual
    return canGetMail && timing !== 'off' ? [{ userId, timing }] : []
  })
  if (wanted.length > 0) {
    const createdAt = await clockNow(tx)
    await insertItems(tx, wanted, { ...news, type, createdAt })
  }
  const muted = new Set(found.filter(({ inApp }) => inApp === false).map(({ userId }) => userId))
  return people.filter((userId) => !muted.has(userId))
}
