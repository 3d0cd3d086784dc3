import { v7 as newId } from 'uuid'

import type { Actor } from '#contract/identity.ts'
import type { NotificationPayload, NotificationType } from '#contract/notification-types.ts'
import type { Database } from '#platform/database/open-database.ts'
import {
  type Audience,
  findRecipients,
  insertEntries,
  insertEvent,
  type NewEvent,
  notToldSince,
  nextEventTime,
} from './store.ts'

export const schemaVersion = 1

export type News<Type extends NotificationType> = {
  type: Type
  organizationId: string
  /** What caused it: told of once, however often it is called. */
  source: string
  /** Null when nobody in particular did it. */
  actor: Actor | null
  subject: { type: string; id: string }
  payload: NotificationPayload<Type>
  to: Audience
  /** The person who did it need not be told. */
  except?: string | undefined
  /** Whoever was told of the same type, subject and actor less than so many seconds ago is not told again. */
  quietSeconds?: number
}

/**
 * Tells members of an organization of a change, in the transaction that makes it: both happen or neither. Call it last,
 * for it lets nobody else of the organization be told anything until the commit.
 */
export async function notify<Type extends NotificationType>(tx: Database, news: News<Type>) {
  const { organizationId, type, source, actor, subject, payload, to, except, quietSeconds } = news
  const eventId = newId()
  const subjectOf = { subjectType: subject.type, subjectId: subject.id }
  const event: NewEvent = { id: eventId, organizationId, type, schemaVersion, source, actor, ...subjectOf, payload }
  const notSince = quietSeconds === undefined ? undefined : notToldSince(tx, event, quietSeconds)
  const recipients = await findRecipients(tx, { ...to, organizationId, except, notSince })
  if (recipients.length === 0) return
  const occurredAt = await nextEventTime(tx, organizationId)
  if (await insertEvent(tx, { ...event, occurredAt }))
    await insertEntries(tx, recipients, { eventId, organizationId, occurredAt })
}
