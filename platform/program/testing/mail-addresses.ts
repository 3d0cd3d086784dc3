import { sql } from 'drizzle-orm'

import { clockNow } from '#platform/ground/database/clock.ts'
import { confirmationToken } from '#platform/people/mail/confirmation-token.ts'
import { inHours } from '#platform/people/mail/to-mail.ts'
import type { TestPlatform } from './test-platform.ts'

/** Confirms the address of a key's person, as the link of the email does. */
export async function confirmAddress(platform: TestPlatform, key = platform.admin, timeZone?: string) {
  const { actor } = (await platform.request('GET', '/whoami', { key })).json
  const { keys, db } = platform.services
  const confirmation = { userId: actor.id, address: actor.email, expiresAt: inHours(await clockNow(db), 1) }
  const body = { token: confirmationToken(keys, confirmation), timeZone }
  return platform.request('POST', '/admin/v1/me/email-address', { key, body })
}

/** Starts the email of the first admin again, as after a mail server refused the address. */
export async function restartAddress(platform: TestPlatform, how: 'own' | 'as admin') {
  const { id } = (await platform.request('GET', '/whoami')).json.actor
  await platform.services.db.execute(
    sql`update mail_people set stopped_at = now(), stop_fault = '550 No such user' where user_id = ${id}`,
  )
  const path = how === 'own' ? '/me/email-address/restart' : `/mail/people/${id}/restart`
  return platform.request('POST', `/admin/v1${path}`)
}
