import { v7 as newId } from 'uuid'

import { limits } from '#contract/wire/limit.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findChoices } from './choice-store.ts'
import { shownItems, subjectOf } from '#platform/people/mail/compose/compose-mail.ts'
import { type Lease, lockLeased, pause, type PersonRow, setNextDigest } from './lease-store.ts'
import {
  assignItems,
  countItems,
  dropRead,
  dropUnwanted,
  findItems,
  findRecentTimes,
  findWaitingGroups,
  findWaitingMail,
  insertMail,
  type ItemRow,
  type MailRow,
  setSubject,
} from './mail-store.ts'
import { nextDigest } from './next-digest.ts'
import { inHours, toEmailItem } from './to-mail.ts'

export type PreparedMail = { person: PersonRow; mail: MailRow; items: ItemRow[]; total: number }

/** With more notifications that wait, a person gets them together. */
const mostSingleMails = 5

/**
 * The next email of a person: one that waits, or a new one of their notifications. What it contains is decided here,
 * once, so every attempt sends the same. Null if nothing is due.
 */
export const prepareMail = ({ db }: Pick<Services, 'db'>, lease: Lease) =>
  db.transaction(async (tx): Promise<PreparedMail | null> => {
    const leased = await lockLeased(tx, lease)
    if (!leased) return null
    const { person } = leased
    const now = await clockNow(tx)
    const choices = await findChoices(tx, person.userId)
    const off = choices.flatMap(({ type, email }) => (email === 'off' ? [type] : []))
    await dropUnwanted(tx, person.userId, off)
    let mail = await findWaitingMail(tx, person.userId)
    if (!mail && person.nextDigestAt !== null && person.nextDigestAt <= now) {
      await makeDigests(tx, leased, now)
      await setNextDigest(tx, lease, nextDigest(person, now))
      mail = await findWaitingMail(tx, person.userId)
    }
    if (!mail) {
      await makeMail(tx, lease, now)
      mail = await findWaitingMail(tx, person.userId)
    }
    if (!mail) return null
    const items = await findItems(tx, mail.id, shownItems)
    return { person: leased, mail, items, total: await countItems(tx, mail.id) }
  })

/** One of each organization, because its admins see it in their log. */
async function makeDigests(tx: Database, { person: { userId } }: PersonRow, now: string) {
  await dropRead(tx, userId)
  for (const { organizationId, last } of await findWaitingGroups(tx, userId, 'digest'))
    await insertWith(tx, { userId, organizationId, timing: 'digest', kind: 'digest', last }, now)
}

/** Of few notifications one email each; of many, one of all. In an hour come at most so many. */
async function makeMail(tx: Database, { userId, ...lease }: Lease, now: string) {
  const [group] = await findWaitingGroups(tx, userId, 'now')
  if (!group) return
  const hourAgo = inHours(now, -1)
  const recent = await findRecentTimes(tx, userId, { since: hourAgo, limit: limits.mailsPerHour })
  const oldest = recent.at(-1)
  if (recent.length >= limits.mailsPerHour && oldest) {
    await pause(tx, { userId, ...lease }, inHours(oldest, 1))
    return
  }
  const { organizationId, total, first, last } = group
  const isMany = total > mostSingleMails
  const made = { kind: isMany ? 'summary' : 'event', last: isMany ? last : first } as const
  await insertWith(tx, { userId, organizationId, timing: 'now', ...made }, now)
}

type Made = {
  userId: string
  organizationId: string | null
  timing: 'now' | 'digest'
  kind: 'event' | 'summary' | 'digest'
  last: number
}

async function insertWith(tx: Database, { kind, ...of }: Made, now: string) {
  const { userId, organizationId } = of
  const id = newId()
  await insertMail(tx, { id, userId, organizationId, kind, subject: '', state: 'waiting', createdAt: now })
  await assignItems(tx, id, of)
  const [first] = await findItems(tx, id, 1)
  if (!first) return
  const total = await countItems(tx, id)
  const subject = subjectOf({ kind, total, first: toEmailItem(first) }, first.organizationName ?? 'Assay')
  await setSubject(tx, id, subject)
}
