import { afterAll, beforeEach, expect, test } from 'vitest'

import { limits } from '#contract/wire/limit.ts'
import type { Mail, MailAnswer } from '#platform/ground/services/mailer.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const sent: Mail[] = []
const deadlines: (number | undefined)[] = []
let answer: MailAnswer = { outcome: 'sent', said: '250 OK' }
const mailer = {
  from: 'Assay <assay@lab.example>',
  send: async (mail: Mail, options?: { deadlineMs?: number }) => {
    sent.push(mail)
    deadlines.push(options?.deadlineMs)
    return answer
  },
}

const platform = await openTestPlatform({ mailer })
await createOrganization(platform.services, { slug: 'hostile', name: 'Win <b>now</b> at http://evil.example' })
beforeEach(() => {
  sent.length = 0
  answer = { outcome: 'sent', said: '250 OK' }
})
afterAll(() => platform.close())

const invite = async (email: string, key = platform.admin) => {
  const body = { email, role: 'member' }
  return (await platform.request('POST', '/admin/v1/invitations', { key, body })).json
}

const revoke = (id: string) => platform.request('DELETE', `/admin/v1/invitations/${id}`)

test('an invitation is emailed to its address with a link of its own', async () => {
  const { link, isEmailed } = await invite('new@elsewhere.example')
  expect([isEmailed, sent.length]).toEqual([true, 1])
  expect(sent[0]).toMatchObject({ to: 'new@elsewhere.example', subject: 'Invitation to lab on Assay' })
  const emailed = /https:\S+\/join#invite_[\w-]{43}/.exec(sent[0]?.text ?? '')?.[0] ?? ''
  expect(sent[0]?.html).toContain(emailed)
  expect(emailed).not.toBe(link)
})

test('the response is the same for a person with an account, and says nothing of what the mail server said', async () => {
  await platform.newKey({ email: 'known@elsewhere.example', organizations: ['hostile'] })
  const shapeOf = ({ isEmailed, ...more }: object & { isEmailed?: boolean }) => [
    isEmailed,
    Object.keys(more).toSorted(),
  ]
  expect(shapeOf(await invite('known@elsewhere.example'))).toEqual(shapeOf(await invite('unknown@elsewhere.example')))
  answer = { outcome: 'address', said: '550-refused no such user' }
  const refused = await invite('refused@elsewhere.example')
  expect(refused).toMatchObject({ isEmailed: false, link: expect.any(String) })
  // With a word, because a random id or a time may have the digits.
  expect(JSON.stringify(refused)).not.toMatch(/550-refused|no such user/)
})

test('an admin does not lose the link while a mail server hangs, because the wait ends before that of the browser', async () => {
  await invite('slow@elsewhere.example')
  expect(deadlines.at(-1)).toBeLessThanOrEqual(30_000)
})

test('names cannot add headers, lines or links to the email', async () => {
  const key = await platform.newKey({ organizations: ['hostile'] })
  await invite('victim@elsewhere.example', key)
  const [mail] = sent
  expect(mail?.subject).not.toMatch(/[\r\n]|:\/\//)
  expect(mail?.html).not.toContain('<b>')
  expect(mail?.text).not.toContain('http://evil.example')
  expect(mail?.html).not.toContain('http://evil.example')
})

test('inviting and revoking again and again does not flood an address, or the mail server', async () => {
  const answers: unknown[] = []
  for (let round = 0; round <= limits.invitationEmailsPerAddress; round += 1) {
    const { invitation, isEmailed } = await invite('flooded@elsewhere.example')
    answers.push(isEmailed)
    await revoke(invitation.id)
  }
  expect(answers).toEqual([true, true, true, false])
  for (let place = 0; place < limits.invitationEmailsPerHour; place += 1) await invite(`many${place}@elsewhere.example`)
  expect(sent.length).toBeLessThanOrEqual(limits.invitationEmailsPerHour)
  expect(await invite('last@elsewhere.example')).toMatchObject({ isEmailed: false, link: expect.any(String) })
})
