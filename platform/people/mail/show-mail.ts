import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/mail.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { restartPeople } from './lease-store.ts'
import { countFailing, findLog, findStopped, isMember } from './log-store.ts'
import { toLogEntry } from './to-mail.ts'

/** GET /mail. */
export const getMail = (context: Context): Promise<contract.MailOverview> => showOverview(context, context.db)

async function showOverview(
  { mailer, organization }: Pick<Context, 'mailer' | 'organization'>,
  db: Database,
): Promise<contract.MailOverview> {
  const stopped = await findStopped(db, organization.id)
  return {
    canSend: mailer !== null,
    ...(mailer && { from: mailer.from }),
    failing: await countFailing(db, organization.id),
    stopped: stopped.flatMap(({ stoppedAt, fault, ...person }) =>
      stoppedAt === null ? [] : [{ ...person, stoppedAt, fault: fault ?? '' }],
    ),
  }
}

const position = z.tuple([Timestamp, z.uuid()])

/** GET /mail/log. */
export async function listMail(
  { db, organization }: Context,
  { state, pageSize, pageToken }: VerbInput<typeof contract.listMail>,
): Promise<contract.MailLog> {
  const limit = pageSize ?? limits.mailLog.default
  const listKey = ['mail-log', organization.id, state] as const
  const after = readPageToken(pageToken, position, listKey)
  const rows = await findLog(db, organization.id, { state, after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ mail }) => [mail.createdAt, mail.id])
  return { emails: shown.map(toLogEntry), ...next }
}

/** POST /mail/people/{id}/restart. */
export function restartMail(
  context: Context,
  { personId }: VerbInput<typeof contract.restartMail>,
): Promise<contract.MailOverview> {
  const organizationId = context.organization.id
  return audited(context, async (tx, record) => {
    if (!isUuidText(personId) || !(await isMember(tx, organizationId, personId)))
      throw notFound('There is no such member of this organization')
    if (await restartPeople(tx, [personId], await clockNow(tx)))
      record({ event: 'mail.restart', organizationId, subject: personId })
    return showOverview(context, tx)
  })
}
