import type { MailLogEntry } from '#contract/mail.ts'
import type { EmailItem } from '#platform/people/mail/compose/describe-item.ts'
import type { LogRow } from './log-store.ts'
import type { ItemRow } from './mail-store.ts'

export const toEmailItem = ({ item, event, slug }: Pick<ItemRow, 'item' | 'event' | 'slug'>): EmailItem => ({
  readerId: item.userId,
  type: event.type,
  actor: event.actor,
  subjectId: event.subjectId,
  payload: event.payload,
  slug,
})

export function toLogEntry({ mail, to }: LogRow): MailLogEntry {
  const { id, kind, subject, state, createdAt, sentAt, attempts, lastTryAt, fault } = mail
  return {
    id,
    to,
    kind,
    subject,
    state,
    createdAt,
    attempts,
    ...(sentAt && { sentAt }),
    ...(lastTryAt && { lastAttemptAt: lastTryAt }),
    ...(fault && { fault }),
  }
}

/** A time so many hours later, to the microsecond: a time a little too early is due again and again. */
export const inHours = (at: string, hours: number) =>
  new Date(Date.parse(at) + hours * 3_600_000).toISOString().slice(0, -1) + at.slice(23)
