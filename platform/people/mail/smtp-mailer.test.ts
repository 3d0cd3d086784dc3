import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { expect, test } from 'vitest'

import { type MailServer, startMailServer } from '#platform/program/testing/mail-server.ts'
import { readMailSettings } from './read-mail-settings.ts'
import { smtpMailer } from './smtp-mailer.ts'

const from = 'assay@lab.example'
const read = (SMTP_URL: string, more: { SMTP_FROM?: string; SMTP_TLS?: string } = {}) =>
  readMailSettings({ SMTP_URL, SMTP_FROM: from, ...more })

const mailer = (server: MailServer, credentials = '', more = {}) => {
  const settings = read(`smtp://${credentials}127.0.0.1:${server.port}`)
  if (!settings) throw new Error('no settings')
  return smtpMailer({ ...settings, ...more })
}

const mail = {
  id: '<1@assay.example>',
  date: new Date('2026-11-23T10:00:00Z'),
  to: 'ada@lab.example',
  subject: 'Subject',
  text: 'Text',
  html: '<p>Text</p>',
  headers: {},
}

test('TLS is required except on this machine, and settings that cannot be used say which', () => {
  expect(read('smtp://u%40x:p%2Fw@mail.example')).toEqual({
    host: 'mail.example',
    port: 587,
    tls: 'starttls',
    auth: { user: 'u@x', pass: 'p/w' },
    from: { name: '', address: from },
  })
  expect(read('smtps://mail.example', { SMTP_FROM: 'Assay <a@b.example>' })).toMatchObject({
    port: 465,
    tls: 'immediate',
    auth: null,
    from: { name: 'Assay', address: 'a@b.example' },
  })
  expect(read('smtp://127.0.0.1:25')?.tls).toBe('none')
  expect(read('smtp://mail.example', { SMTP_TLS: 'off' })?.tls).toBe('none')
  expect(readMailSettings({})).toBeNull()
  for (const [url, more, fault] of [
    ['http://mail.example', {}, /^SMTP_URL must look like/],
    ['smtp://u:secret@mail.example/?x=1', {}, /^SMTP_URL must look like[^?]*$/],
    ['smtp://mail.example', { SMTP_TLS: 'maybe' }, /^SMTP_TLS must be/],
    ['smtp://mail.example', { SMTP_FROM: 'a@b, c@d' }, /^SMTP_FROM must be/],
    ['smtp://mail.example', { SMTP_FROM: 'x\r\nBcc: y <a@b.example>' }, /^SMTP_FROM must be/],
  ] as const)
    expect(() => read(url, more)).toThrow(fault)
})

test('mail is sent with user and password; a wrong password stops sending and is not blamed on the address', async () => {
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      done(password === 'right' ? null : new Error(`no ${password}`), { user: username }),
  })
  expect(await mailer(server, 'ada:right@').send(mail)).toMatchObject({ outcome: 'sent' })
  const refused = await mailer(server, 'ada:wrong-secret@').send(mail)
  expect(refused.outcome).toBe('later')
  expect(refused.said).not.toContain('wrong-secret')
  await server.stop()
})

test('sends nothing unencrypted when TLS is required', async () => {
  const server = await startMailServer()
  const answer = await mailer(server, '', { tls: 'starttls' }).send(mail)
  expect([answer.outcome, server.accepted]).toEqual(['later', []])
  await server.stop()
})

test('an address that could be two recipients is refused before anything is sent', async () => {
  const server = await startMailServer()
  for (const to of ['a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example', 'A <a@b.example>', 'nobody'])
    expect(await mailer(server).send({ ...mail, to })).toMatchObject({ outcome: 'address' })
  expect(server.connections()).toBe(0)
  await server.stop()
})

test('a server that cannot be reached is tried later', async () => {
  const server = await startMailServer()
  await server.stop()
  expect(await mailer(server).send(mail)).toMatchObject({
    outcome: 'later',
    said: expect.stringContaining('could not be reached'),
  })
})

test('an email that somebody waits for is given up at its deadline', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const settings = read(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  if (!settings) throw new Error('no settings')
  expect(await smtpMailer(settings).send(mail, { deadlineMs: 200 })).toMatchObject({
    outcome: 'later',
    said: 'The mail server took too long',
  })
  silent.close()
})
