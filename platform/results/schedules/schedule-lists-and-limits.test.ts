import { afterAll, expect, test } from 'vitest'

import type { Schedule } from '#contract/schedules.ts'
import { limits } from '#contract/wire/limit.ts'
import { writePageToken } from '#platform/ground/routes/page-token.ts'
import { schedules } from '#platform/ground/database/tables/schedules.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
await platform.request('POST', '/experiments', { yaml: twoByTwo() })
afterAll(() => platform.close())

const call = (method: 'GET' | 'POST', path = '', body?: unknown) =>
  platform.request(method, `/schedules${path}`, { body })

const nightly = { kind: 'times', cron: '0 2 * * *', timeZone: 'Europe/Berlin' } as const

test.for([
  ['* * * * *', '`trigger.cron` must not match more often than once an hour'],
  ['0,30 2 * * *', '`trigger.cron` must not match more often than once an hour'],
  ['0 0 30 2 *', '`trigger.cron` must match a date that exists'],
  ['61 * * * *', '`trigger.cron` cannot be read: '],
  ['0 0 2 * * *', '`trigger.cron` cannot be read: '],
  ['@hourly', '`trigger.cron` cannot be read: '],
  ['nightly', '`trigger.cron` cannot be read: '],
])('400 for the cron expression "%s"', async ([cron, message]) => {
  const body = { name: 'x', experimentId: 'two-by-two', trigger: { ...nightly, cron }, submission: {} }
  const { status, json } = await call('POST', '', body)
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
  expect(json.message).toContain(message)
})

test('400 for an unknown time zone, an unknown agent, and a fixed version after a push; 404 for an unknown experiment', async () => {
  const body = { name: 'x', experimentId: 'two-by-two', trigger: nightly, submission: { mock: true } }
  const zone = await call('POST', '', { ...body, trigger: { ...nightly, timeZone: 'Mars/Olympus' } })
  expect([zone.status, zone.json.message]).toEqual([
    400,
    '`trigger.timeZone` must be the name of a time zone, such as Europe/Berlin',
  ])
  const agent = await call('POST', '', { ...body, submission: { agents: ['nobody'] } })
  expect([agent.status, agent.json.message]).toEqual([400, 'Unknown selectors: agents "nobody"'])
  const fixed = await call('POST', '', { ...body, trigger: { kind: 'push' }, submission: { version: 'f'.repeat(64) } })
  expect(fixed.status).toBe(400)
  expect((await call('POST', '', { ...body, experimentId: 'nothing' })).status).toBe(404)
})

test('a schedule refuses a submission that stops when decided', async () => {
  const submission = { mock: true, untilDecided: { groupBy: 'agent' } }
  const { status, json } = await call('POST', '', {
    name: 'stops',
    experimentId: 'two-by-two',
    trigger: nightly,
    submission,
  })
  expect([status, json.message]).toEqual([
    400,
    '`submission.untilDecided` is not possible in a schedule, whose starts run to the end',
  ])
})

test('the next times of an expression are listed, across a change of the clock', async () => {
  const { json } = await call('GET', `/times?cron=${encodeURIComponent('30 2 29 3 *')}&time_zone=Europe%2FBerlin`)
  // On 29 March 2026 and 2031 the clock goes from 2:00 to 3:00: that start is not lost.
  expect(json.times.length).toBe(5)
  const { status } = await call('GET', '/times?cron=x&time_zone=UTC')
  expect(status).toBe(400)
})

test('400 for a submission of more than 50 kB, and for a forged page token', async () => {
  const agents = Array.from({ length: 9000 }, () => 'careful')
  const body = { name: 'large', experimentId: 'two-by-two', trigger: nightly, submission: { agents } }
  expect((await call('POST', '', body)).json.message).toBe(
    '`submission` must not have more than 50 kB: select fewer items',
  )
  const schedule = (await call('POST', '', { ...body, submission: { mock: true } })).json
  const listKey = ['schedule-starts', schedule.id] as const
  const token = writePageToken(['abc', schedule.id], listKey)
  expect((await call('GET', `/${schedule.id}/starts?page_token=${token}`)).status).toBe(400)
})

test('lists are paged by name and by time, and an organization has a limit of schedules', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('many') })
  const trigger = nightly
  for (const name of ['b', 'c', 'a'])
    await call('POST', '', { name, experimentId: 'many', trigger, submission: { mock: true } })
  const first = await call('GET', '?experiment_id=many&page_size=2')
  expect(first.json.schedules.map(({ name }: Schedule) => name)).toEqual(['a', 'b'])
  const second = await call('GET', `?experiment_id=many&page_size=2&page_token=${first.json.nextPageToken}`)
  expect(second.json.schedules.map(({ name }: Schedule) => name)).toEqual(['c'])
  const stored = await platform.services.db.select().from(schedules)
  const [some] = stored
  if (!some) throw new Error('There is no schedule')
  await platform.services.db.insert(schedules).values(
    Array.from({ length: limits.schedulesPerOrganization - stored.length }, (_, index) => ({
      ...some,
      id: crypto.randomUUID(),
      name: `filler ${index}`,
      isEnabled: false,
    })),
  )
  const body = { name: 'one more', experimentId: 'many', trigger: nightly, submission: {} }
  const refused = await call('POST', '', body)
  expect([refused.status, refused.json.error]).toEqual([429, 'resource_exhausted'])
})
