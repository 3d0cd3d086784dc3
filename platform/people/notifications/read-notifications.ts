import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { readNotifications as endpoint } from '#contract/notifications.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { feedOf } from './feed-of-caller.ts'
import { markRead } from './store.ts'

/**
 * POST /notifications/read: marks entries of the caller's feed as read and counts those that were unread. It is safe to
 * repeat. Errors: `permission_denied` for an organization key.
 */
export async function readNotifications(
  context: Context,
  { eventIds }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  return { marked_count: await markRead(context.db, feedOf(context), eventIds) }
}
