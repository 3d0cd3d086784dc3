import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'

import type { ScheduleStart } from '#contract/schedules.ts'
import { killedAtCommit } from '#platform/program/testing/breakable-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { schedules, scheduleStarts } from '#platform/ground/database/tables/schedules.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { removeMember } from '#platform/people/identity/remove-member.ts'
import { setMember } from '#platform/people/identity/set-member.ts'
import { deleteRequests } from '#platform/queue/run-queue/delete-requests.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { nightly, scheduleTools } from '#platform/program/testing/schedule-tools.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { finishStarts } from './finish-starts.ts'
import { startDueSchedules } from './start-due.ts'

const { call, add, get, startsOf, makeDue, startDue, end, noticesOf } = scheduleTools(() => platform)
const platform = await openTestPlatform()
const db = platform.services.db
const member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
await platform.request('POST', '/experiments', { yaml: twoByTwo() })
afterAll(() => platform.close())

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

test('a start is skipped while the one before is running, and the owner is notified once', async () => {
  const schedule = await add()
  await startDue(schedule.id)
  for (let night = 0; night < 3; night += 1)
    expect(await startDue(schedule.id)).toMatchObject({
      state: 'skipped',
      skippedBecause: 'The runs of the previous start are still unfinished',
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

test('a server that is killed in the middle of a start leaves nothing behind, and the schedule starts later', async () => {
  const schedule = await add()
  await makeDue(schedule.id)
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await startDueSchedules(killedAtCommit(platform.services))
  expect(String(logged.mock.calls[0]?.[0])).toContain(schedule.id)
  logged.mockRestore()
  expect(await startsOf(schedule.id)).toEqual([])
  await db.update(schedules).set({ restsUntil: null }).where(eq(schedules.id, schedule.id))
  expect(await startDue(schedule.id)).toMatchObject({ state: 'running' })
})

test('a schedule that cannot start rests, and the others have their turn', async () => {
  const [broken, sound] = [await add(), await add()]
  const zone = { ...nightly, timeZone: 'Mars/Olympus' }
  await db.update(schedules).set({ trigger: zone }).where(eq(schedules.id, broken.id))
  await makeDue(broken.id)
  await makeDue(sound.id)
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await startDueSchedules(platform.services)
  await startDueSchedules(platform.services)
  expect(logged).toHaveBeenCalledTimes(1)
  logged.mockRestore()
  expect(await startsOf(broken.id)).toEqual([])
  expect(await startsOf(sound.id)).toMatchObject([{ state: 'running' }])
})

test('why a start was skipped reveals no balance, although its owner is an admin', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('dear') })
  const schedule = await add({ experimentId: 'dear', submission: { repeat: 1000 } })
  const budget = { scope: 'experiment', key: 'dear', monthlyLimitUsd: 0.01, isHard: true }
  await platform.request('PUT', '/admin/v1/budgets', { body: budget })
  const start = await startDue(schedule.id)
  expect(start.skippedBecause).toContain('would exceed the monthly budget of this experiment')
  expect(start.skippedBecause).not.toContain('$')
})

test('only a start whose files are missing waits for them; other refusals after a push are recorded at once', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('refused') })
  const schedule = await add({
    experimentId: 'refused',
    trigger: { kind: 'push' },
    submission: { agents: ['careful'] },
  })
  const budget = { scope: 'experiment', key: 'refused', monthlyLimitUsd: 0.0001, isHard: true }
  await platform.request('PUT', '/admin/v1/budgets', { body: budget })
  await platform.request('POST', '/experiments', { yaml: twoByTwo('refused', 'description: second') })
  await startDueSchedules(platform.services)
  await startDueSchedules(platform.services)
  expect(await startsOf(schedule.id)).toMatchObject([{ state: 'skipped' }])
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
  expect(first).toMatchObject({ state: 'running' })
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

test('a start whose runs are deleted is closed as skipped', async () => {
  const schedule = await add()
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

test('a paused schedule waits, and starts that it missed are not made up for', async () => {
  const schedule = await add()
  const paused = await call('PATCH', `/${schedule.id}`, { isEnabled: false })
  expect(paused.json).toMatchObject({ isEnabled: false, nextAt: null })
  await startDueSchedules(platform.services)
  expect(await startsOf(schedule.id)).toEqual([])
  const resumed = await call('PATCH', `/${schedule.id}`, { isEnabled: true })
  expect(Date.parse(resumed.json.nextAt)).toBeGreaterThan(Date.now())
})

test('a person who changes what runs becomes the owner; a new name changes no owner', async () => {
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

test.each([
  ['left', null, 'has left'],
  ['became a viewer', 'viewer' as const, 'is now a viewer'],
])(
  'a schedule whose owner %s is paused, the admins are notified, and anyone can take it over',
  async (_, role, why) => {
    const email = `${role ?? 'eve'}@lab.example`
    const leaver = await platform.newKey({ role: 'member', email })
    const schedule = await add({}, leaver)
    if (role) await setMember(platform.services, { org: 'lab', email, role })
    else await removeMember(platform.services, { org: 'lab', email })
    await makeDue(schedule.id)
    await startDueSchedules(platform.services)
    expect(await get(schedule.id)).toMatchObject({ isEnabled: false, pausedBecause: expect.stringContaining(why) })
    expect(await startsOf(schedule.id)).toEqual([])
    expect(await noticesOf(schedule.id)).toEqual(['schedule.paused'])
    const { json } = await call('PATCH', `/${schedule.id}`, { isEnabled: true }, member)
    expect(json).toMatchObject({ isEnabled: true, owner: { email: 'max@lab.example' } })
    expect(json.pausedBecause).toBeUndefined()
  },
)

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
