import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type { listNotifications as endpoint, NotificationFeed, NotificationEntry } from '#contract/notifications.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { searchWords } from '#platform/ground/database/search-words.ts'
import { feedOf } from './feed-of-caller.ts'
import { findEntries, type EntryRow } from './store.ts'

const toEntry = ({ entry, event }: EntryRow): NotificationEntry => ({
  event_id: event.id,
  type: event.type,
  schema_version: event.schemaVersion,
  occurred_at: event.occurredAt,
  actor: event.actor,
  subject: { type: event.subjectType, id: event.subjectId },
  scope: event.organizationId === null ? null : { type: 'organization', id: event.organizationId },
  payload: event.payload,
  created_at: entry.createdAt,
  read_at: entry.readAt,
})

const Position = z.tuple([Timestamp, z.uuid()])

/**
 * GET /notifications: the caller's feed, newest first. An entry that arrives during a walk is newer than the whole
 * walk, so no page repeats or skips one. Errors: `permission_denied` for an organization key, `invalid_argument` for
 * another list's cursor.
 */
export async function listNotifications(
  context: Context,
  input: VerbInput<typeof endpoint>,
): Promise<NotificationFeed> {
  const feed = feedOf(context)
  const limit = input.pageSize ?? limits.notifications.default
  const { unreadOnly = false } = input
  const words = searchWords(input.search)
  const listKey = ['notifications', feed, unreadOnly, ...words] as const
  const position = readPageToken(input.cursor ?? undefined, Position, listKey, 'cursor')
  const rows = await findEntries(context.db, feed, {
    unreadOnly,
    words,
    before: position && { occurredAt: position[0], eventId: position[1] },
    limit: limit + 1,
  })
  const { shown, nextPageToken = null } = cutPage(rows, limit, listKey, ({ event }) => [event.occurredAt, event.id])
  return { entries: shown.map(toEntry), next_cursor: nextPageToken }
}
