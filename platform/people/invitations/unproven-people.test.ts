import { createHmac, randomBytes } from 'node:crypto'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { verifiedEmailHeader, verifiedEmailText } from '#contract/invitations.ts'
import type { Mail } from '#platform/ground/services/mailer.ts'
import { createKey } from '#platform/people/identity/create-key.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { confirmAddress } from '#platform/program/testing/mail-addresses.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const sent: Mail[] = []
const mailer = {
  from: 'Assay <assay@lab.example>',
  send: async (mail: Mail) => {
    sent.push(mail)
    return { outcome: 'sent' as const, said: '250 OK' }
  },
}

let otherAdmin = ''
const singleSignOnKey = randomBytes(32)
const platform = await openTestPlatform({ mailer })
beforeAll(async () => {
  platform.services.singleSignOnKey = singleSignOnKey
  await createOrganization(platform.services, { slug: 'other' })
  otherAdmin = await platform.newKey({ organizations: ['other'] })
})
beforeEach(() => void (sent.length = 0))
afterAll(() => platform.close())

let people = 0
const newEmail = () => `victim${(people += 1)}@elsewhere.example`
const tokenIn = (text = '') => /invite_[\w-]{43}/.exec(text)?.[0] ?? ''

/** The token of the link that the admin got, and that of the email. */
async function invite(email: string, key = platform.admin) {
  const { json } = await platform.request('POST', '/admin/v1/invitations', { key, body: { email, role: 'member' } })
  return { shown: tokenIn(json.link), emailed: tokenIn(sent.at(-1)?.text) }
}

const join = (token: string, name: string, headers = {}) =>
  platform.request('POST', '/admin/v1/invitation/join', { key: token, body: { name }, headers })

const whoami = (key: string) => platform.request('GET', '/whoami', { key })
const rename = (key: string) => platform.request('PATCH', '/admin/v1/me', { key, body: { name: 'Renamed' } })
const show = async (token: string, headers = {}) =>
  (await platform.request('GET', '/admin/v1/invitation', { key: token, headers })).json

/** An admin invites somebody and uses the link. */
async function takeAddress() {
  const email = newEmail()
  const { json } = await join((await invite(email)).shown, 'Not the victim')
  return { email, stolen: String(json.key) }
}

test('a person who joined by the link of an admin is unproven, and cannot change their name', async () => {
  const { stolen } = await takeAddress()
  expect((await whoami(stolen)).json.isUnproven).toBe(true)
  const refused = await rename(stolen)
  expect([refused.status, refused.json.error]).toEqual([403, 'permission_denied'])
  expect(refused.json.message).toContain('Confirm the address under Notifications')
  expect((await whoami(platform.admin)).json).not.toHaveProperty('isUnproven')
})

test('the email has a link of its own, which only the invited address gets and which proves it', async () => {
  const email = newEmail()
  const { shown, emailed } = await invite(email)
  expect(emailed).not.toBe(shown)
  const { json } = await join(emailed, 'Ada')
  expect((await whoami(json.key)).json).not.toHaveProperty('isUnproven')
  expect((await rename(json.key)).status).toBe(200)
  expect((await join(shown, 'Somebody')).status).toBe(409)
})

test('a person whose address was taken joins by their own email, which ends the earlier keys and the earlier name', async () => {
  const { email, stolen } = await takeAddress()
  const { json } = await platform.request('POST', '/admin/v1/me/keys', { key: stolen, body: { name: 'Spare' } })
  const { shown, emailed } = await invite(email, otherAdmin)
  expect((await show(shown)).mustSignIn).toBe(true)
  expect((await join(shown, 'The other admin')).status).toBe(412)
  expect((await show(emailed)).mustSignIn).toBe(false)
  const joined = await join(emailed, 'The victim')
  expect((await whoami(joined.json.key)).json.actor).toMatchObject({ email, name: 'The victim' })
  for (const key of [stolen, json.key]) expect((await whoami(key)).status).toBe(401)
})

test('keys that are being created while the address is proven end too', async () => {
  const { email, stolen } = await takeAddress()
  const { emailed } = await invite(email, otherAdmin)
  const spare = () => platform.request('POST', '/admin/v1/me/keys', { key: stolen, body: { name: 'Spare' } })
  const [joined, ...spares] = await Promise.all([join(emailed, 'The victim'), spare(), spare(), spare()])
  for (const { json } of spares) if (json.key) expect((await whoami(json.key)).status).toBe(401)
  expect((await whoami(joined.json.key)).status).toBe(200)
})

test('single sign-on proves the address for one token, and no other value of its header does', async () => {
  const { email, stolen } = await takeAddress()
  const { shown } = await invite(email, otherAdmin)
  const proofOf = (token: string, address: string, key = singleSignOnKey) => ({
    [verifiedEmailHeader]: createHmac('sha256', key).update(verifiedEmailText(token, address)).digest('hex'),
  })
  for (const wrong of [
    proofOf(shown, newEmail()),
    proofOf(`invite_${'a'.repeat(43)}`, email),
    proofOf(shown, email, randomBytes(32)),
    { [verifiedEmailHeader]: '' },
    { [verifiedEmailHeader]: 'true' },
  ])
    expect((await join(shown, 'Not the victim', wrong)).status).toBe(412)
  const joined = await join(shown, 'Verified', proofOf(shown, email))
  expect((await whoami(joined.json.key)).json).toMatchObject({ actor: { name: 'Verified' } })
  expect((await whoami(stolen)).status).toBe(401)
})

test('a person who confirms their address by email keeps the key with which they did, and no other', async () => {
  const { stolen: own } = await takeAddress()
  const { json } = await platform.request('POST', '/admin/v1/me/keys', { key: own, body: { name: 'Spare' } })
  for (const _ of ['once', 'again']) expect((await confirmAddress(platform, own)).status).toBe(200)
  expect((await rename(own)).status).toBe(200)
  expect((await whoami(json.key)).status).toBe(401)
})

test('a person accepts an emailed invitation with the key they have, which proves the address', async () => {
  const { email, stolen: own } = await takeAddress()
  const { shown, emailed } = await invite(email, otherAdmin)
  const accept = (token: string) => platform.request('POST', '/admin/v1/join', { key: own, body: { token } })
  expect((await accept(emailed)).status).toBe(200)
  expect((await whoami(own)).json).toMatchObject({ organizations: [{ slug: 'lab' }, { slug: 'other' }] })
  expect((await whoami(own)).json).not.toHaveProperty('isUnproven')
  expect((await accept(shown)).status).toBe(409)
})

test('a key that the operator creates proves the person once, and later keys end no other', async () => {
  const { email, stolen } = await takeAddress()
  const create = () => createKey(platform.services, { organizations: ['lab'], email, role: 'member', kind: 'personal' })
  const [first, second] = [await create(), await create()]
  const statuses = await Promise.all([stolen, first, second].map(async (key) => (await whoami(key)).status))
  expect(statuses).toEqual([401, 200, 200])
})
