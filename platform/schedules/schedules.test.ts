import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Schedule, ScheduleStart } from '#contract/schedules.ts'
import { limits } from '#contract/wire/limit.ts'
import { memberships, users } from '#platform/database/tables/identity.ts'
import { notificationEvents } from '#platform/database/tables/notifications.ts'
import { runRequests, runs } from '#platform/database/tables/runs.ts'
import { schedules, scheduleStarts } from '#platform/database/tables/schedules.ts'
import { createOrganization } from '#platform/identity/create-organization.ts'
import { deleteRequests } from '#platform/run-queue/delete-requests.ts'
import { twoByTwo } from '#platform/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/testing/test-platform.ts'
import { finishStarts } from './finish-starts.ts'
import { startDueSchedules } from './start-due.ts'

let platform: TestPlatform
let member: string
let db: TestPlatform['services']['db']
beforeAll(async () => {
  platform = await openTestPlatform()
  db = platform.services.db
  member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
  await platform.request('POST', '/experiments', { yaml: twoByTwo() })
})
afterAll(() => platform.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, path = '', body?: unknown, key = platform.admin) =>
  platform.request(method, `/schedules${path}`, { key, body })

const nightly = { kind: 'times', cron: '0 2 * * *', timeZone: 'Europe/Berlin' } as const
let names = 0
async function add(fields: object = {}, key = platform.admin): Promise<Schedule> {
  names += 1
  const body = {
    name: `Schedule ${names}`,
    experimentId: 'two-by-two',
    trigger: nightly,
    submission: { mock: true },
    ...fields,
  }
  const { status, json } = await call('POST', '', body, key)
  expect(status, JSON.stringify(json)).toBe(201)
  return json as Schedule
}

const get = async (id: string) => (await call('GET', `/${id}`)).json as Schedule
const startsOf = async (id: string) => (await call('GET', `/${id}/starts`)).json.starts as ScheduleStart[]
/** Makes it the schedule's turn, as if its time had come. */
const makeDue = (id: string) =>
  db
    .update(schedules)
    .set({ nextAt: sql`clock_timestamp() - interval '1 second'` })
    .where(eq(schedules.id, id))

async function startDue(id: string) {
  await makeDue(id)
  await startDueSchedules(platform.services)
  return (await startsOf(id))[0] as ScheduleStart
}

/** Ends the runs of a start: `isSolved` decides for each run in the order of variant and repeat. */
async function end(start: ScheduleStart, isSolved: (place: number) => boolean | null, more: object = {}) {
  const all = await db
    .select({ id: runs.id })
    .from(runs)
    .where(eq(runs.requestId, String(start.runRequestId)))
    .orderBy(runs.variantId, runs.repeat)
  for (const [place, { id }] of all.entries()) {
    const solved = isSolved(place)
    const outcome = solved === null ? {} : { testsPassed: Number(solved), testsFailed: Number(!solved) }
    const status = solved === null ? ('canceled' as const) : ('completed' as const)
    await db
      .update(runs)
      .set({ status, ...outcome, ...more })
      .where(eq(runs.id, id))
  }
  await finishStarts(platform.services)
}

/** Starts the schedule, ends its runs and returns the closed start. */
async function night(id: string, isSolved: (place: number) => boolean | null, more?: object) {
  await end(await startDue(id), isSolved, more)
  return (await startsOf(id))[0] as ScheduleStart
}

const noticesOf = async (id: string) =>
  (
    await db
      .select({ type: notificationEvents.type, payload: notificationEvents.payload })
      .from(notificationEvents)
      .where(eq(notificationEvents.subjectId, id))
      .orderBy(notificationEvents.occurredAt)
  ).map(({ type }) => type)

test('a schedule has its next time in its own time zone, and a name of its own', async () => {
  const schedule = await add({ name: 'Nightly' })
  expect(schedule).toMatchObject({
    name: 'Nightly',
    experimentName: 'Two by two',
    trigger: nightly,
    isEnabled: true,
    canChange: true,
    spentThisMonthUsd: 0,
    lastStart: null,
    monthlyBudgetUsd: null,
    gate: null,
  })
  const hour = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' })
  expect(hour.format(new Date(String(schedule.nextAt)))).toBe('02')
  const again = await call('POST', '', { ...schedule, id: undefined, name: 'Nightly' })
  expect([again.status, again.json.message]).toEqual([409, 'This experiment already has a schedule named "Nightly"'])
})

test.for([
  ['* * * * *', '`trigger.cron` must not match more often than once an hour'],
  ['0,30 2 * * *', '`trigger.cron` must not match more often than once an hour'],
  ['0 0 30 2 *', '`trigger.cron` must match a time that comes'],
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

test('the next times of an expression are listed, across a change of the clock', async () => {
  const { json } = await call('GET', `/times?cron=${encodeURIComponent('30 2 29 3 *')}&time_zone=Europe%2FBerlin`)
  // On 29 March 2026 and 2031 the clock goes from 2:00 to 3:00: that start is not lost.
  expect(json.times.length).toBe(5)
  const { status } = await call('GET', '/times?cron=x&time_zone=UTC')
  expect(status).toBe(400)
})

test('a due schedule submits its runs once in the name of its owner, however many servers look', async () => {
  const schedule = await add({ submission: { mock: true, agents: ['careful'], repeat: 3 } }, member)
  await makeDue(schedule.id)
  await Promise.all([1, 2, 3, 4].map(() => startDueSchedules(platform.services)))
  const [start, ...others] = await startsOf(schedule.id)
  expect(others).toEqual([])
  expect(start).toMatchObject({ cause: 'time', state: 'running', ordinal: 1 })
  const [request] = await db
    .select()
    .from(runRequests)
    .where(eq(runRequests.id, String(start?.runRequestId)))
  const [owner] = await db.select().from(users).where(eq(users.email, 'max@lab.example'))
  expect(request).toMatchObject({ triggeredBy: owner?.id, repeat: 3, mock: true })
  expect(Date.parse(String((await get(schedule.id)).nextAt))).toBeGreaterThan(Date.now())
})

test('a start is skipped while the one before is running, and the owner is told once', async () => {
  const schedule = await add()
  await startDue(schedule.id)
  for (let night = 0; night < 3; night += 1)
    expect(await startDue(schedule.id)).toMatchObject({
      state: 'skipped',
      skippedBecause: 'The runs of the start before have not finished',
    })
  expect(await noticesOf(schedule.id)).toEqual(['schedule.skipped'])
})

test('a start whose submission is refused is recorded with the reason, and the next one tries again', async () => {
  const schedule = await add({ submission: { mock: true, agents: ['hasty'] } })
  await db
    .update(schedules)
    .set({ submission: { mock: true, agents: ['gone'] } })
    .where(eq(schedules.id, schedule.id))
  expect(await startDue(schedule.id)).toMatchObject({
    state: 'skipped',
    skippedBecause: 'Unknown selectors: agents "gone"',
  })
  await db
    .update(schedules)
    .set({ submission: { mock: true, agents: ['hasty'] } })
    .where(eq(schedules.id, schedule.id))
  expect(await startDue(schedule.id)).toMatchObject({ state: 'running' })
})

test('a failure in the middle of a start leaves nothing behind, and other schedules have their turn later', async () => {
  const schedule = await add()
  await makeDue(schedule.id)
  const broken = {
    ...platform.services,
    // The last statement of the transaction fails.
    db: new Proxy(platform.services.db, {
      get(target, name) {
        if (name !== 'transaction') return Reflect.get(target, name)
        return (act: (tx: unknown) => Promise<unknown>) =>
          target.transaction(async (tx) => {
            await act(tx)
            throw new Error('The server was killed')
          })
      },
    }),
  }
  await expect(startDueSchedules(broken)).rejects.toThrow('The server was killed')
  expect(await startsOf(schedule.id)).toEqual([])
  expect(await startDue(schedule.id)).toMatchObject({ state: 'running' })
})

test('a schedule after a push starts once for the newest of several versions, and not for the one it was made on', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('pushed') })
  const schedule = await add({ experimentId: 'pushed', trigger: { kind: 'push' } })
  await startDueSchedules(platform.services)
  expect(await startsOf(schedule.id)).toEqual([])
  for (const extra of ['description: second', 'description: third'])
    await platform.request('POST', '/experiments', { yaml: twoByTwo('pushed', extra) })
  await startDueSchedules(platform.services)
  await startDueSchedules(platform.services)
  const starts = await startsOf(schedule.id)
  expect(starts).toMatchObject([{ cause: 'push', ordinal: 3, state: 'running' }])
  // The next push waits until these runs have ended.
  await platform.request('POST', '/experiments', { yaml: twoByTwo('pushed', 'description: fourth') })
  await startDueSchedules(platform.services)
  expect(await startsOf(schedule.id)).toHaveLength(1)
  await end(starts[0] as ScheduleStart, () => true)
  await startDueSchedules(platform.services)
  expect((await startsOf(schedule.id))[0]).toMatchObject({ ordinal: 4, state: 'running' })
})

test('a monthly budget limits each start to what is left of it, and then skips', async () => {
  const schedule = await add({ submission: {}, monthlyBudgetUsd: 10 })
  await db.update(runs).set({ status: 'completed' })
  const first = await startDue(schedule.id)
  const limitOf = async (start: ScheduleStart) => {
    const [request] = await db
      .select()
      .from(runRequests)
      .where(eq(runRequests.id, String(start.runRequestId)))
    return request?.maxCostUsd
  }
  expect(await limitOf(first)).toBe(10)
  await end(first, () => true, { costUsd: 1.5, earlierCostUsd: 0.5 })
  expect((await get(schedule.id)).spentThisMonthUsd).toBe(8)
  const second = await startDue(schedule.id)
  expect(await limitOf(second)).toBe(2)
  await end(second, () => true, { costUsd: 0.5 })
  expect(await startDue(schedule.id)).toMatchObject({
    state: 'skipped',
    skippedBecause: 'The budget of $10.00 for this month is used up',
  })
  await db.update(scheduleStarts).set({ startedAt: sql`started_at - interval '40 days'` })
  expect((await get(schedule.id)).spentThisMonthUsd).toBe(0)
})

const gated = { gate: { maxChance: 0.05 }, submission: { mock: true, repeat: 10 } }

test('the gate fails on a drop beyond chance, stays with its baseline, and tells of the recovery', async () => {
  const schedule = await add(gated)
  const good = (place: number) => place % 10 !== 0
  const bad = (place: number) => place % 10 < 4
  const first = await night(schedule.id, good)
  expect(first.gate).toMatchObject({ verdict: 'undecided', reason: 'no_baseline' })
  expect(first.solved).toEqual({ solved: 36, runs: 40 })
  const same = await night(schedule.id, (place) => place % 10 !== 1)
  expect(same.gate).toMatchObject({ verdict: 'passed', difference: 0 })
  const dropped = await night(schedule.id, bad)
  expect(dropped.gate).toMatchObject({ verdict: 'failed', baseline: { startId: same.id } })
  expect(dropped.gate?.difference).toBeCloseTo(-0.5, 9)
  expect(dropped.gate?.pValue).toBeLessThan(0.001)
  // The failed start is no baseline: an equally bad night fails too.
  const still = await night(schedule.id, bad)
  expect(still.gate).toMatchObject({ verdict: 'failed', baseline: { startId: same.id } })
  const recovered = await night(schedule.id, good)
  expect(recovered.gate).toMatchObject({ verdict: 'passed', baseline: { startId: same.id } })
  expect(await noticesOf(schedule.id)).toEqual(['schedule.dropped', 'schedule.dropped', 'schedule.recovered'])
})

test('an accepted drop is the next baseline, and accepting it twice changes nothing', async () => {
  const schedule = await add(gated)
  const first = await night(schedule.id, () => true)
  const accept = (start: ScheduleStart) => call('POST', `/${schedule.id}/starts/${start.id}/accept`)
  const refused = await accept(first)
  expect([refused.status, refused.json.error]).toEqual([412, 'failed_precondition'])
  const dropped = await night(schedule.id, (place) => place % 2 === 0)
  expect(dropped.gate?.verdict).toBe('failed')
  for (const { status, json } of [await accept(dropped), await accept(dropped)])
    expect([status, json.gate.isAccepted]).toEqual([200, true])
  const next = await night(schedule.id, (place) => place % 2 === 1)
  expect(next.gate).toMatchObject({ verdict: 'passed', baseline: { startId: dropped.id } })
  expect(await noticesOf(schedule.id)).toEqual(['schedule.dropped'])
})

test('the gate is undecided without runs that count, with too few, and when a budget ended runs', async () => {
  const schedule = await add(gated)
  await night(schedule.id, () => true)
  expect((await night(schedule.id, () => null)).gate).toMatchObject({ verdict: 'undecided', reason: 'no_counted_runs' })
  const cut = await night(schedule.id, () => false, { costLimitHit: 'request' })
  expect(cut.gate).toMatchObject({ verdict: 'undecided', reason: 'budget_reached' })
  expect(await noticesOf(schedule.id)).toEqual([])
  const small = await add({ ...gated, submission: { mock: true, agents: ['careful'] } })
  await night(small.id, () => true)
  expect((await night(small.id, () => false)).gate).toMatchObject({ verdict: 'undecided', reason: 'too_few' })
})

test('a start whose runs are deleted is closed as skipped', async () => {
  const schedule = await add(gated)
  const start = await startDue(schedule.id)
  await db
    .update(runs)
    .set({ status: 'canceled' })
    .where(eq(runs.requestId, String(start.runRequestId)))
  await db.transaction((tx) => deleteRequests(tx, [String(start.runRequestId)]))
  await finishStarts(platform.services)
  expect((await startsOf(schedule.id))[0]).toMatchObject({
    state: 'skipped',
    skippedBecause: 'Its runs were deleted before they finished',
  })
})

test('people start a schedule now, in their own name, but not twice at once', async () => {
  const schedule = await add({}, member)
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', `/${schedule.id}/start`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 412, 412])
  const { json } = answers.find(({ status }) => status === 202) ?? {}
  expect(json).toMatchObject({ cause: 'person', state: 'running' })
  const [request] = await db.select().from(runRequests).where(eq(runRequests.id, json.runRequestId))
  const [owner] = await db.select().from(users).where(eq(users.email, 'max@lab.example'))
  expect(request?.triggeredBy).not.toBe(owner?.id)
})

test('a paused schedule waits, and what it missed is not made up for', async () => {
  const schedule = await add()
  const paused = await call('PATCH', `/${schedule.id}`, { isEnabled: false })
  expect(paused.json).toMatchObject({ isEnabled: false, nextAt: null })
  await startDueSchedules(platform.services)
  expect(await startsOf(schedule.id)).toEqual([])
  const resumed = await call('PATCH', `/${schedule.id}`, { isEnabled: true })
  expect(Date.parse(resumed.json.nextAt)).toBeGreaterThan(Date.now())
})

test('whoever changes what runs becomes the owner; a new name changes no owner', async () => {
  const schedule = await add({}, member)
  expect(schedule.owner).toMatchObject({ email: 'max@lab.example' })
  const renamed = await call('PATCH', `/${schedule.id}`, { name: 'Renamed' })
  expect(renamed.json.owner).toMatchObject({ email: 'max@lab.example' })
  const changed = await call('PATCH', `/${schedule.id}`, { submission: { mock: true, repeat: 2 } })
  expect(changed.json).toMatchObject({ owner: { email: 'person1@lab.example' }, submission: { repeat: 2 } })
  const { status, json } = await call('PATCH', `/${schedule.id}`, { name: 'Mine' }, member)
  expect([status, json.error]).toEqual([403, 'permission_denied'])
  expect((await call('PATCH', `/${schedule.id}`, {})).status).toBe(400)
})

test('a schedule whose owner left is paused, the admins are told, and anyone can take it over', async () => {
  const leaver = await platform.newKey({ role: 'member', email: 'eve@lab.example' })
  const schedule = await add({}, leaver)
  const [eve] = await db.select().from(users).where(eq(users.email, 'eve@lab.example'))
  await db.delete(memberships).where(eq(memberships.userId, String(eve?.id)))
  await makeDue(schedule.id)
  await startDueSchedules(platform.services)
  expect(await get(schedule.id)).toMatchObject({ isEnabled: false, pausedBecause: expect.stringContaining('has left') })
  expect(await startsOf(schedule.id)).toEqual([])
  expect(await noticesOf(schedule.id)).toEqual(['schedule.paused'])
  const { json } = await call('PATCH', `/${schedule.id}`, { isEnabled: true }, member)
  expect(json).toMatchObject({ isEnabled: true, owner: { email: 'max@lab.example' } })
  expect(json.pausedBecause).toBeUndefined()
})

test('404 for a schedule of another organization, whatever is asked of it', async () => {
  const schedule = await add()
  await createOrganization(platform.services, { slug: 'other' })
  const stranger = await platform.newKey({ email: 'stranger@other.example', organizations: ['other'] })
  const start = await startDue(schedule.id)
  for (const [method, path, body] of [
    ['GET', `/${schedule.id}`, undefined],
    ['GET', `/${schedule.id}/starts`, undefined],
    ['PATCH', `/${schedule.id}`, { name: 'Mine' }],
    ['POST', `/${schedule.id}/start`, undefined],
    ['POST', `/${schedule.id}/starts/${start.id}/accept`, undefined],
    ['DELETE', `/${schedule.id}`, undefined],
    ['GET', '/nonsense', undefined],
  ] as const) {
    const { status, json } = await call(method, path, body, stranger)
    expect([method, path, status, json.message]).toEqual([method, path, 404, 'There is no such schedule'])
  }
  expect((await call('GET', '', undefined, stranger)).json.schedules).toEqual([])
})

test('deleting a schedule keeps its runs, and an organization key can only read', async () => {
  const schedule = await add()
  const { runRequestId } = await startDue(schedule.id)
  const robot = await platform.newKey({ kind: 'organization' })
  expect((await call('DELETE', `/${schedule.id}`, undefined, robot)).status).toBe(403)
  expect((await call('GET', `/${schedule.id}`, undefined, robot)).json.canChange).toBe(false)
  expect((await call('DELETE', `/${schedule.id}`)).status).toBe(204)
  expect((await call('DELETE', `/${schedule.id}`)).status).toBe(404)
  expect(
    await db
      .select()
      .from(runRequests)
      .where(eq(runRequests.id, String(runRequestId))),
  ).toHaveLength(1)
})

test('lists are paged by name and by time, and an organization has a limit of schedules', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('many') })
  for (const name of ['b', 'c', 'a']) await add({ experimentId: 'many', name })
  const first = await call('GET', '?experiment_id=many&page_size=2')
  expect(first.json.schedules.map(({ name }: Schedule) => name)).toEqual(['a', 'b'])
  const second = await call('GET', `?experiment_id=many&page_size=2&page_token=${first.json.nextPageToken}`)
  expect(second.json.schedules.map(({ name }: Schedule) => name)).toEqual(['c'])
  const stored = await db.select().from(schedules)
  const [some] = stored
  if (!some) throw new Error('There is no schedule')
  await db.insert(schedules).values(
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
