import type { VerbInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/mail.ts'
import { audited } from '#platform/people/audit/audited.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { clearCallerCache } from '#platform/people/identity/caller-cache.ts'
import { provePerson } from '#platform/people/identity/prove-person.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { type Confirmed, findChoices, findPerson, saveChoices, savePerson } from './choice-store.ts'
import { restartPeople } from './lease-store.ts'
import { lockPerson } from './log-store.ts'
import { nextDigest } from './next-digest.ts'
import { readConfirmation } from './confirmation-token.ts'

/** Before a person chooses. */
const defaultDigestTime = { digestHour: 8, timeZone: 'UTC' }

/** GET /me/notification-settings. */
export const getNotificationSettings = (context: Context): Promise<contract.NotificationSettings> =>
  showSettings(context, context.db)

async function showSettings(
  { caller, mailer }: Pick<Context, 'caller' | 'mailer'>,
  db: Database,
): Promise<contract.NotificationSettings> {
  const { email, person } = await findPerson(db, personOf(caller))
  const { digestHour, timeZone } = person ?? defaultDigestTime
  const isConfirmed = person?.address === email
  const { stoppedAt = null, stopFault = null } = person ?? {}
  return {
    canSend: mailer !== null,
    emailAddress: {
      address: email,
      state: !isConfirmed ? 'unconfirmed' : stoppedAt ? 'stopped' : 'confirmed',
      ...(isConfirmed && stoppedAt && { stoppedAt, fault: stopFault ?? '' }),
    },
    digestHour,
    timeZone,
    ...(isConfirmed && person.nextDigestAt && { nextDigestAt: person.nextDigestAt }),
    choices: await findChoices(db, personOf(caller)),
  }
}

/** PATCH /me/notification-settings. Waiting notifications follow the new choices when they are sent. */
export async function changeNotificationSettings(
  context: Context,
  { choices = [], ...time }: VerbInput<typeof contract.changeNotificationSettings>,
): Promise<contract.NotificationSettings> {
  const userId = personOf(context.caller)
  return context.db.transaction(async (tx) => {
    // Also for a person without a row: two changes at once must keep each other's values.
    await lockPerson(tx, userId)
    await saveChoices(tx, userId, choices)
    if (time.digestHour !== undefined || time.timeZone !== undefined) await saveTime(tx, userId, time)
    return showSettings(context, tx)
  })
}

type Time = { digestHour?: number | undefined; timeZone?: string | undefined }

async function saveTime(tx: Database, userId: string, time: Time, confirmed: Partial<Confirmed> = {}) {
  const { person } = await findPerson(tx, userId)
  const { digestHour, timeZone } = person ?? defaultDigestTime
  const chosen = { digestHour: time.digestHour ?? digestHour, timeZone: time.timeZone ?? timeZone }
  const now = await clockNow(tx)
  await savePerson(tx, userId, now, { ...chosen, ...confirmed, nextDigestAt: nextDigest(chosen, now) })
}

/**
 * POST /me/email-address. Only the person who is signed in can confirm their address, so a link that someone else opens
 * confirms nothing. It is safe to repeat.
 */
export async function confirmAddress(
  context: Context,
  { token, timeZone }: VerbInput<typeof contract.confirmAddress>,
): Promise<contract.NotificationSettings> {
  const { caller, keys, organization } = context
  const settings = await audited(context, async (tx, record) => {
    await lockPerson(tx, personOf(caller))
    const { email, person } = await findPerson(tx, personOf(caller))
    const now = await clockNow(tx)
    const confirmation = readConfirmation(keys, token)
    if (!confirmation || confirmation.expiresAt <= now)
      throw preconditionFailed('This link is not valid or has expired. Send yourself a new one')
    if (confirmation.userId !== personOf(caller) || confirmation.address !== email)
      throw preconditionFailed(`This link is for another address. You are signed in as ${email}`)
    if (person?.address !== email) {
      // The browser's zone, unless the person has chosen one.
      await saveTime(tx, personOf(caller), person ? {} : { timeZone }, {
        address: email,
        confirmedAt: now,
        // What a server said of an earlier address says nothing of this one.
        stoppedAt: null,
        stopFault: null,
        failures: 0,
        nextTryAt: now,
      })
      record({ event: 'mail.confirm', organizationId: organization.id, subject: email })
    }
    await provePerson(tx, { id: confirmation.userId, email }, { record, kept: caller.keyId })
    return showSettings(context, tx)
  })
  clearCallerCache(context.db)
  return settings
}

/** POST /me/email-address/restart. */
export function restartOwnMail(context: Context): Promise<contract.NotificationSettings> {
  const { caller, organization } = context
  return audited(context, async (tx, record) => {
    if (await restartPeople(tx, [personOf(caller)], await clockNow(tx)))
      record({ event: 'mail.restart', organizationId: organization.id, subject: caller.actor.email })
    return showSettings(context, tx)
  })
}
