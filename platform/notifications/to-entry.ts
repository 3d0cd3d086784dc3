import type { NotificationEntry } from '#contract/notifications.ts'
import type { EntryRow } from './store.ts'

export const toEntry = ({ entry, event }: EntryRow): NotificationEntry => ({
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
