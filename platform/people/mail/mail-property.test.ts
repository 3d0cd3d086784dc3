import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'

import type { Mail, MailAnswer, Mailer } from '#platform/ground/services/mailer.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import { confirmAddress } from '#platform/program/testing/mail-addresses.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { atLength } from '#tools/test-length.ts'
import { deliverMail } from './deliver-mail.ts'
import { takeLease } from './lease-store.ts'
import { sendDueMail } from './start-mail-sender.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const db = () => platform.services.db

async function passSeconds(seconds: number) {
  const at = Date.parse(await clockNow(db())) * 1000 + seconds * 1_000_000
  await db().execute(sql`select setval('steady_clock', ${at}::bigint)`)
}

type Step = 'tell' | 'send' | 'pass' | 'down' | 'up' | 'lost answer' | 'kill before' | 'kill after' | 'two senders'

const step = fc.constantFrom<Step>(
  'tell',
  'tell',
  'tell',
  'send',
  'pass',
  'down',
  'up',
  'lost answer',
  'kill before',
  'kill after',
  'two senders',
)

test('whatever fails or is killed, all news arrives in order, and only a lost answer repeats an email', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await db().execute(sql`delete from mail_people`)
      const email = `${randomUUID().slice(0, 8)}@lab.example`
      const key = await platform.newKey({ role: 'member', email })
      await confirmAddress(platform, key)
      const { id } = (await platform.request('GET', '/whoami', { key })).json.actor
      const accepted: Mail[] = []
      let [isUp, told, lost, isLosing] = [true, 0, 0, false]
      const accept = async (mail: Mail): Promise<MailAnswer> => {
        if (!isUp) return { outcome: 'later', said: '451 Later' }
        accepted.push(mail)
        if (!isLosing) return { outcome: 'sent', said: '250 OK' }
        isLosing = false
        lost += 1
        return { outcome: 'later', said: 'The connection was closed' }
      }
      const services = { ...platform.services, mailer: { from: 'a@lab.example', send: accept } satisfies Mailer }
      const sendAll = async () => {
        for (let round = await sendDueMail(services); round.length > 0; round = await sendDueMail(services))
          await Promise.all(round)
      }
      const tell = () => {
        told += 1
        return db().transaction((tx) =>
          notify(tx, {
            type: 'report.mentioned',
            organizationId: platform.organization.id,
            source: randomUUID(),
            actor: null,
            subject: { type: 'report', id: 'r' },
            payload: { title: `News ${told}`, comment_id: 'c' },
            to: { userIds: [id] },
          }),
        )
      }
      const actions: Record<Step, () => Promise<unknown> | void> = {
        tell,
        send: sendAll,
        pass: () => passSeconds(130),
        down: () => void (isUp = false),
        up: () => void (isUp = true),
        'lost answer': () => void (isLosing = true),
        'kill before': async () => void (await takeLease(db(), randomUUID())),
        'kill after': async () => {
          const lease = await takeLease(db(), randomUUID())
          const send = async (mail: Mail) => {
            const { outcome } = await accept(mail)
            if (outcome === 'sent') lost += 1
            throw new Error('killed')
          }
          if (lease) await deliverMail({ ...services, mailer: { ...services.mailer, send } }, lease).catch(() => {})
        },
        'two senders': () => Promise.all([sendAll(), sendAll()]),
      }
      for (const each of steps) await actions[each]()
      isUp = true
      for (let pass = 0; pass < 5; pass += 1) {
        await passSeconds(3600)
        await sendAll()
      }
      const arrived = accepted.flatMap(({ text }) =>
        [...text.matchAll(/on News (\d+)/g)].map(([, news]) => Number(news)),
      )
      expect([...new Set(arrived)]).toEqual(Array.from({ length: told }, (_, index) => index + 1))
      const ids = accepted.map((mail) => mail.id)
      expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(lost)
      for (const mail of accepted) expect(accepted.find(({ id: same }) => same === mail.id)?.text).toBe(mail.text)
    }),
    { numRuns: atLength(8, 100) },
  )
})
