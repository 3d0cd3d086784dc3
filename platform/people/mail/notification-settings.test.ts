import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'

import { limits } from '#contract/wire/limit.ts'
import type { Mail, MailAnswer } from '#platform/ground/services/mailer.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { clearCallerCache } from '#platform/people/identity/caller-cache.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { setMember } from '#platform/people/identity/set-member.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import { confirmAddress } from '#platform/program/testing/mail-addresses.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { confirmationToken } from './confirmation-token.ts'
import { nextDigest } from './next-digest.ts'
import { signToken } from './sign-token.ts'
import { sendDueMail } from './start-mail-sender.ts'
import { unsubscribeLink } from './unsubscribe-token.ts'

const sent: Mail[] = []
let answer: MailAnswer = { outcome: 'sent', said: '250 OK' }
const mailer = {
  from: 'assay@lab.example',
  send: async (mail: Mail) => {
    sent.push(mail)
    return answer
  },
}

const platform = await openTestPlatform({ mailer })
afterAll(() => platform.close())

beforeEach(async () => {
  await db().execute(sql`delete from mail_people`)
  sent.length = 0
  answer = { outcome: 'sent', said: '250 OK' }
})

const db = () => platform.services.db

async function passSeconds(seconds: number) {
  const at = Date.parse(await clockNow(db())) * 1000 + seconds * 1_000_000
  await db().execute(sql`select setval('steady_clock', ${at}::bigint)`)
}

async function addPerson() {
  const email = `${randomUUID().slice(0, 8)}@lab.example`
  const key = await platform.newKey({ role: 'member', email })
  const { id } = (await platform.request('GET', '/whoami', { key })).json.actor
  return { id: String(id), email, key }
}

type Person = Awaited<ReturnType<typeof addPerson>>

const call = (key: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  platform.request(method, `/admin/v1${path}`, { key, body })
const settingsOf = async ({ key }: Person) => (await call(key, 'GET', '/me/notification-settings')).json
const change = ({ key }: Person, body: object) => call(key, 'PATCH', '/me/notification-settings', body)
const timingOf = async (person: Person, type: string) =>
  (await settingsOf(person)).choices.find((choice: { type: string }) => choice.type === type).email

const tell = (
  { id }: Person,
  type: 'report.updated' | 'report.commented',
  title: string,
  { organizationId = platform.organization.id } = {},
) =>
  db().transaction((tx) =>
    notify(tx, {
      type,
      organizationId,
      source: randomUUID(),
      actor: { id: 'a1', name: 'Ada' },
      subject: { type: 'report', id: '019a1f2c-8f60-7000-8000-0000000000a1' },
      payload: { title, comment_id: 'c1' },
      to: { userIds: [id] },
    }),
  )

async function sendAll() {
  const services = { ...platform.services, mailer }
  for (let round = await sendDueMail(services); round.length > 0; round = await sendDueMail(services))
    await Promise.all(round)
}

test('a new person has the usual choices, and no email until they confirm their address', async () => {
  const person = await addPerson()
  expect(await settingsOf(person)).toMatchObject({
    canSend: true,
    emailAddress: { address: person.email, state: 'unconfirmed' },
    digestHour: 8,
    timeZone: 'UTC',
  })
  expect([await timingOf(person, 'report.mentioned'), await timingOf(person, 'report.updated')]).toEqual(['now', 'off'])
})

test('the link of a confirmation confirms the address of the person who is signed in, and nobody else’s', async () => {
  const [person, other] = [await addPerson(), await addPerson()]
  expect((await call(person.key, 'POST', '/me/email-address/confirmation')).json).toEqual({ isSent: true })
  const [, token] = /confirm=([\w.-]+)/.exec(sent[0]?.text ?? '') ?? []
  expect(sent[0]).toMatchObject({ to: person.email })
  expect(sent[0]?.text).toContain(`https://assay.example/o/lab/settings/notifications?confirm=${token}`)
  const byOther = await call(other.key, 'POST', '/me/email-address', { token })
  expect([byOther.status, byOther.json.message]).toEqual([
    412,
    `This link is for another address. You are signed in as ${other.email}`,
  ])
  for (const _ of [1, 2]) {
    const { json } = await call(person.key, 'POST', '/me/email-address', { token, timeZone: 'Asia/Tokyo' })
    expect(json).toMatchObject({ emailAddress: { state: 'confirmed' }, timeZone: 'Asia/Tokyo' })
  }
})

test('a token that is expired, changed or made for something else confirms nothing', async () => {
  const person = await addPerson()
  const { keys } = platform.services
  const good = { userId: person.id, address: person.email, expiresAt: '2999-01-01T00:00:00Z' }
  const expired = confirmationToken(keys, { ...good, expiresAt: '2026-01-01T00:00:00Z' })
  const changed = confirmationToken(keys, good).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const other = signToken(keys, 'unsubscribe', JSON.stringify([good.userId, good.address, good.expiresAt]))
  for (const token of [expired, changed, other, '', 'x.y.z'])
    expect((await call(person.key, 'POST', '/me/email-address', { token })).status).toBe(412)
  expect((await settingsOf(person)).emailAddress.state).toBe('unconfirmed')
})

test('the link for the longest address fits its own page and the request', async () => {
  const { keys } = platform.services
  const address = `${'a'.repeat(64)}@${'b'.repeat(180)}.example`
  const token = confirmationToken(keys, { userId: randomUUID(), address, expiresAt: '2999-01-01T00:00:00.000000Z' })
  const person = await addPerson()
  const { status, json } = await call(person.key, 'POST', '/me/email-address', { token })
  expect([status, json.message]).toEqual([412, expect.stringContaining('is for another address')])
})

test('a new address gets email although the earlier one was stopped', async () => {
  const person = await addPerson()
  const { keys } = platform.services
  const confirm = async (address: string) => {
    const token = confirmationToken(keys, { userId: person.id, address, expiresAt: '2999-01-01T00:00:00.000000Z' })
    return (await call(person.key, 'POST', '/me/email-address', { token })).json.emailAddress
  }
  await confirm(person.email)
  await db().execute(
    sql`update mail_people set stopped_at = now(), stop_fault = '550 gone' where user_id = ${person.id}`,
  )
  expect((await settingsOf(person)).emailAddress.state).toBe('stopped')
  const moved = `moved-${person.email}`
  await db().execute(sql`update users set email = ${moved} where id = ${person.id}`)
  clearCallerCache(db())
  expect(await confirm(moved)).toMatchObject({ state: 'confirmed', address: moved })
})

test('429 for too many confirmations, and the answer of a server that refuses one', async () => {
  const person = await addPerson()
  answer = { outcome: 'address', said: '550 No such user' }
  const tries = limits.requestedEmailsPerHour
  for (let attempt = 0; attempt < tries; attempt += 1)
    expect((await call(person.key, 'POST', '/me/email-address/confirmation')).json).toEqual({
      isSent: false,
      fault: '550 No such user',
    })
  expect((await call(person.key, 'POST', '/me/email-address/confirmation')).status).toBe(429)
  expect(sent).toHaveLength(tries)
})

test('a change keeps what it does not name, and concurrent changes of one person keep both', async () => {
  const person = await addPerson()
  await change(person, { choices: [{ type: 'report.updated', email: 'digest' }] })
  await Promise.all([
    change(person, { choices: [{ type: 'report.updated', inApp: false }], digestHour: 7 }),
    change(person, { choices: [{ type: 'report.mentioned', email: 'off' }], timeZone: 'Europe/Berlin' }),
  ])
  const { choices, digestHour, timeZone } = await settingsOf(person)
  expect(choices).toContainEqual({ type: 'report.updated', inApp: false, email: 'digest' })
  expect(choices).toContainEqual({ type: 'report.mentioned', inApp: true, email: 'off' })
  expect([digestHour, timeZone]).toEqual([7, 'Europe/Berlin'])
})

test.each([
  [{ digestHour: 24 }, '`digestHour` must be 23 or less'],
  [{ timeZone: 'Mars/Olympus' }, '`timeZone` must be the name of a time zone, such as Europe/Berlin'],
])('400 invalid_argument for %j', async (body, message) => {
  const { status, json } = await change(await addPerson(), body)
  expect([status, json.message]).toEqual([400, message])
})

test('an organization key has no notification settings, and a member cannot read the email log', async () => {
  const made = await call(platform.admin, 'POST', '/keys', { name: 'CI', role: 'admin' })
  expect((await call(made.json.key, 'GET', '/me/notification-settings')).status).toBe(403)
  const { key } = await addPerson()
  for (const path of ['/mail', '/mail/log']) expect((await call(key, 'GET', path)).status).toBe(403)
})

test('a digest comes once a day at the person’s hour, has what they did not read, and nothing comes after a quiet day', async () => {
  const person = await addPerson()
  await confirmAddress(platform, person.key, 'Asia/Tokyo')
  await change(person, { choices: ['report.updated', 'report.commented'].map((type) => ({ type, email: 'digest' })) })
  const { nextDigestAt } = await settingsOf(person)
  expect(new Date(nextDigestAt).getUTCHours()).toBe(23)
  for (const title of ['Findings', 'Findings', 'Notes']) await tell(person, 'report.updated', title)
  await tell(person, 'report.commented', 'Findings')
  await tell(person, 'report.commented', 'Read in the app')
  const feed = (await platform.request('GET', '/notifications', { key: person.key })).json.entries
  await platform.request('POST', '/notifications/read', { key: person.key, body: { eventIds: [feed[0].event_id] } })
  await sendAll()
  expect(sent).toEqual([])
  await passSeconds((Date.parse(nextDigestAt) - Date.parse(await clockNow(db()))) / 1000)
  await Promise.all([sendAll(), sendAll()])
  await sendAll()
  expect(sent.map(({ subject }) => subject)).toEqual(['Daily digest: 4 notifications from lab'])
  expect(sent[0]?.text).toContain('Findings (3)\n- Ada edited Findings (2 times)\n')
  expect(sent[0]?.text).not.toContain('Read in the app')
  expect(Date.parse((await settingsOf(person)).nextDigestAt) - Date.parse(nextDigestAt)).toBe(86_400_000)
  await passSeconds(86_400)
  await sendAll()
  expect(sent).toHaveLength(1)
})

test('a person in two organizations gets a digest of each, and no admin sees that of the other', async () => {
  const other = await createOrganization(platform.services, { slug: 'other' })
  const otherAdmin = await platform.newKey({ organizations: ['other'] })
  const person = await addPerson()
  await setMember(platform.services, { org: 'other', email: person.email, role: 'member' })
  await confirmAddress(platform, person.key)
  await change(person, { choices: [{ type: 'report.updated', email: 'digest' }] })
  await tell(person, 'report.updated', 'Ours')
  await tell(person, 'report.updated', 'Theirs', { organizationId: other.id })
  await passSeconds(86_400)
  await sendAll()
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Daily digest: 1 notification from lab',
    'Daily digest: 1 notification from other',
  ])
  expect(sent[1]?.text).toMatch(/\/o\/other\/reports\//)
  const logOf = async (key: string) =>
    (await call(key, 'GET', '/mail/log?page_size=1')).json.emails.map(({ subject }: { subject: string }) => subject)
  expect(await logOf(otherAdmin)).toEqual([sent[1]?.subject])
  expect(await logOf(platform.admin)).toEqual([sent[0]?.subject])
})

test('a person who chose a time before they confirmed their address gets no digest and keeps no sender busy', async () => {
  const person = await addPerson()
  await change(person, { digestHour: 7 })
  await passSeconds(2 * 86_400)
  expect(await sendDueMail({ ...platform.services, mailer })).toEqual([])
  await confirmAddress(platform, person.key, 'Asia/Tokyo')
  const { digestHour, timeZone, nextDigestAt } = await settingsOf(person)
  expect([digestHour, timeZone]).toEqual([7, 'UTC'])
  expect(Date.parse(nextDigestAt)).toBeGreaterThan(Date.parse(await clockNow(db())))
})

test('the hour of a digest follows the clock of its zone, even when that changes', () => {
  const berlin = (digestHour: number, after: string) => nextDigest({ digestHour, timeZone: 'Europe/Berlin' }, after)
  expect(berlin(8, '2026-03-28T12:00:00Z')).toBe('2026-03-29T06:00:00.000000Z')
  expect(berlin(8, '2026-10-24T12:00:00Z')).toBe('2026-10-25T07:00:00.000000Z')
  // 02:00 is skipped in spring, and comes twice in autumn.
  expect(berlin(2, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000000Z')
  const first = berlin(2, '2026-10-24T12:00:00Z')
  expect(Date.parse(berlin(2, first)) - Date.parse(first)).toBeGreaterThan(23 * 3_600_000)
})

test('a link to unsubscribe asks on GET, ends its type on POST without a session, and nothing else', async () => {
  const person = await addPerson()
  await confirmAddress(platform, person.key)
  await tell(person, 'report.commented', 'Findings')
  await sendAll()
  const path = /^<https:\/\/assay\.example(\/unsubscribe\/[\w.-]+)>$/.exec(
    sent[0]?.headers['List-Unsubscribe'] ?? '',
  )?.[1]
  const page = await platform.visit(path ?? '')
  expect([page.status, page.text]).toEqual([
    200,
    expect.stringContaining('Stop emails about “Comments on reports” from Assay?'),
  ])
  expect(await timingOf(person, 'report.commented')).toBe('now')
  await tell(person, 'report.commented', 'Waits')
  for (const _ of [1, 2]) expect((await platform.visit(path ?? '', 'POST')).status).toBe(200)
  expect(await timingOf(person, 'report.commented')).toBe('off')
  expect(await timingOf(person, 'report.mentioned')).toBe('now')
  await sendAll()
  expect(sent).toHaveLength(1)
})

test('the link of a digest ends the digest, and that of a summary what comes at once', async () => {
  const person = await addPerson()
  const visit = (scope: 'digest' | 'now') =>
    platform.visit(
      unsubscribeLink(platform.services, { userId: person.id, scope }).slice('https://assay.example'.length),
      'POST',
    )
  await change(person, { choices: [{ type: 'report.updated', email: 'digest' }] })
  await visit('digest')
  expect([await timingOf(person, 'report.updated'), await timingOf(person, 'report.mentioned')]).toEqual(['off', 'now'])
  await visit('now')
  expect(await timingOf(person, 'report.mentioned')).toBe('off')
})

test('404 for a link to unsubscribe that this installation did not make', async () => {
  const person = await addPerson()
  const link = unsubscribeLink(platform.services, { userId: person.id, scope: 'digest' }).slice(
    'https://assay.example'.length,
  )
  for (const path of [`${link}x`, link.replace(/\.[^.]+$/, `.${'A'.repeat(43)}`), '/unsubscribe/', '/unsubscribe/a/b'])
    for (const method of ['GET', 'POST'] as const) expect((await platform.visit(path, method)).status).toBe(404)
})

test('an edit every hour of a muted report comes by email no more often than in the app', async () => {
  const person = await addPerson()
  await confirmAddress(platform, person.key)
  await change(person, { choices: [{ type: 'report.updated', inApp: false, email: 'now' }] })
  const edit = () =>
    db().transaction((tx) =>
      notify(tx, {
        type: 'report.updated',
        organizationId: platform.organization.id,
        source: randomUUID(),
        actor: { id: 'a1', name: 'Ada' },
        subject: { type: 'report', id: 'edited-often' },
        payload: { title: 'Notes' },
        to: { userIds: [person.id] },
        quietSeconds: 3600,
      }),
    )
  for (const _ of [1, 2, 3]) await edit()
  await sendAll()
  expect(sent).toHaveLength(1)
})

test('a test goes to the admin, and without a mail server the message says who can set one up', async () => {
  expect((await call(platform.admin, 'POST', '/mail/test')).json).toEqual({ isSent: true })
  expect(sent[0]).toMatchObject({ to: 'person1@lab.example', subject: 'This is a test from Assay' })
  const without = await openTestPlatform()
  const { status, json } = await without.request('POST', '/admin/v1/mail/test')
  expect([status, json.message]).toEqual([
    412,
    'This installation has no mail server. Its operator must set SMTP_URL and SMTP_FROM',
  ])
  expect((await without.request('GET', '/admin/v1/mail')).json).toEqual({ canSend: false, failing: 0, stopped: [] })
  await without.close()
})
