import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'

import type { ScheduleStart } from '#contract/schedules.ts'
import { runRemovals } from '#platform/ground/database/tables/retention.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { schedules } from '#platform/ground/database/tables/schedules.ts'
import { deleteRequests } from '#platform/queue/run-queue/delete-requests.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { killedAtCommit } from '#platform/program/testing/breakable-database.ts'
import { scheduleTools } from '#platform/program/testing/schedule-tools.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { finishStarts } from './finish-starts.ts'
import { runSuspectedAgain } from './run-again.ts'

const { call, add, startsOf, startDue, end, night, runAgain, noticesOf } = scheduleTools(() => platform)
const platform = await openTestPlatform()
const db = platform.services.db
await platform.request('POST', '/experiments', { yaml: twoByTwo() })
afterAll(() => platform.close())

const gated = { gate: { significanceLevel: 0.05 }, submission: { mock: true, repeat: 10 } }

test('a drop is only suspected until the same runs, run again, confirm it; then it lasts until the rate recovers', async () => {
  const schedule = await add(gated)
  const good = (place: number) => place % 10 !== 0
  const bad = (place: number) => place % 10 < 4
  const first = await night(schedule.id, good)
  expect(first.gate).toMatchObject({ verdict: 'undecided', reason: 'no_baseline' })
  expect(first.solved).toEqual({ solved: 36, runs: 40 })
  const same = await night(schedule.id, (place) => place % 10 !== 1)
  expect(same.gate).toMatchObject({ verdict: 'passed', difference: 0 })
  const suspected = await night(schedule.id, bad)
  expect(suspected.gate).toMatchObject({
    verdict: 'undecided',
    reason: 'suspected',
    baseline: { startId: same.id, starts: 2 },
  })
  expect(suspected.gate?.difference).toBeCloseTo(-0.5, 9)
  expect(await noticesOf(schedule.id)).toEqual([])
  await runAgain()
  const again = (await startsOf(schedule.id))[0] as ScheduleStart
  expect(again).toMatchObject({ cause: 'confirmation', confirmsStartId: suspected.id, state: 'running', ordinal: 1 })
  await end(again, bad)
  const [confirming, dropped] = await startsOf(schedule.id)
  expect(dropped?.gate).toMatchObject({ verdict: 'failed', confirmation: { startId: again.id, difference: -0.5 } })
  expect(confirming?.gate).toMatchObject({ verdict: 'failed', baseline: { startId: same.id, starts: 2 } })
  // Still down: no further confirmation, and neither start is a baseline.
  const still = await night(schedule.id, bad)
  expect(still.gate).toMatchObject({ verdict: 'failed', baseline: { startId: same.id, starts: 2 } })
  expect(still.gate?.confirmation).toBeUndefined()
  const recovered = await night(schedule.id, good)
  expect(recovered.gate).toMatchObject({ verdict: 'passed', baseline: { startId: same.id } })
  expect(await noticesOf(schedule.id)).toEqual(['schedule.dropped', 'schedule.dropped', 'schedule.recovered'])
})

test('a suspected drop that the second result does not show passes without a notice, and joins the baseline', async () => {
  const schedule = await add(gated)
  await night(schedule.id, () => true)
  const suspected = await night(schedule.id, (place) => place % 10 < 7)
  await runAgain()
  const again = (await startsOf(schedule.id))[0] as ScheduleStart
  await end(again, () => true)
  const settled = (await startsOf(schedule.id)).find(({ id }) => id === suspected.id)
  expect(settled?.gate).toMatchObject({ verdict: 'passed', confirmation: { difference: 0, pValue: 1 } })
  expect((await night(schedule.id, () => true)).gate).toMatchObject({ baseline: { startId: again.id, starts: 3 } })
  expect(await noticesOf(schedule.id)).toEqual([])
})

/** Adds a gated schedule with a suspected drop. */
async function suspect(fields: object = {}) {
  const schedule = await add({ ...gated, ...fields })
  await night(schedule.id, () => true)
  const start = await night(schedule.id, () => false)
  expect(start.gate?.reason).toBe('suspected')
  return { schedule, start }
}

const settledOf = async (id: string, startId: string) =>
  (await startsOf(id)).find((start) => start.id === startId)?.gate as NonNullable<ScheduleStart['gate']>

test('a suspected drop is run again once, with the version and variants of its start, whatever changed since', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('again') })
  const { schedule, start } = await suspect({
    experimentId: 'again',
    submission: { ...gated.submission, agents: ['hasty'] },
  })
  await platform.request('POST', '/experiments', { yaml: twoByTwo('again', 'description: second') })
  await call('PATCH', `/${schedule.id}`, { submission: { mock: true, repeat: 2 } })
  await Promise.all([1, 2, 3].map(() => runAgain()))
  const reruns = (await startsOf(schedule.id)).filter(({ confirmsStartId }) => confirmsStartId === start.id)
  expect(reruns).toMatchObject([{ ordinal: 1, state: 'running' }])
  const [request] = await db
    .select()
    .from(runRequests)
    .where(eq(runRequests.id, String(reruns[0]?.runRequestId)))
  expect(request).toMatchObject({
    repeat: 10,
    mock: true,
    variantIds: ['hasty~sonnet-4.5~terse', 'hasty~sonnet-4.5~wordy'],
  })
  // No other start meanwhile.
  expect(await startDue(schedule.id)).toMatchObject({ state: 'skipped' })
})

test('a server that is killed while it runs a start again leaves it suspected, and a later pass runs it', async () => {
  const { schedule, start } = await suspect()
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await runSuspectedAgain(killedAtCommit(platform.services))
  expect(logged).toHaveBeenCalledTimes(1)
  logged.mockRestore()
  expect(await startsOf(schedule.id)).toHaveLength(2)
  expect((await settledOf(schedule.id, start.id)).reason).toBe('suspected')
  // It rests after the fault.
  await runAgain()
  expect(await startsOf(schedule.id)).toHaveLength(2)
  await db.update(schedules).set({ restsUntil: null }).where(eq(schedules.id, schedule.id))
  await runAgain()
  expect((await startsOf(schedule.id))[0]).toMatchObject({ confirmsStartId: start.id, state: 'running' })
})

test('a suspected drop that cannot be run again stays unconfirmed, with the reason', async () => {
  const paused = await suspect()
  await call('PATCH', `/${paused.schedule.id}`, { isEnabled: false })
  const ungated = await suspect()
  await call('PATCH', `/${ungated.schedule.id}`, { gate: null })
  const poor = await suspect()
  await db
    .update(runs)
    .set({ mock: false, costUsd: 9 })
    .where(eq(runs.requestId, String(poor.start.runRequestId)))
  await db
    .update(runRequests)
    .set({ mock: false })
    .where(eq(runRequests.id, String(poor.start.runRequestId)))
  await call('PATCH', `/${poor.schedule.id}`, { monthlyBudgetUsd: 9 })
  await runAgain()
  for (const [{ schedule, start }, missingBecause, notices] of [
    [paused, 'The schedule is paused', ['schedule.skipped']],
    [ungated, 'The schedule no longer checks for drops', []],
    [poor, 'The budget of $9.00 for this month is used up', ['schedule.skipped']],
  ] as const) {
    expect(await settledOf(schedule.id, start.id)).toMatchObject({
      verdict: 'undecided',
      reason: 'not_run_again',
      confirmation: { missingBecause },
    })
    expect((await startsOf(schedule.id))[0]).toMatchObject({ cause: 'confirmation', skippedBecause: missingBecause })
    expect(await noticesOf(schedule.id)).toEqual(notices)
  }
})

test('canceled, cut or deleted runs confirm no drop, and a deleted schedule takes its suspicion with it', async () => {
  const outcomes = [
    ['some of the runs were canceled', (start: ScheduleStart) => end(start, (place) => (place < 30 ? false : null))],
    ['none of the runs has a verdict', (start: ScheduleStart) => end(start, () => null)],
    [
      'the budget ended some of the runs',
      (start: ScheduleStart) => end(start, () => false, { costLimitHit: 'request' }),
    ],
    [
      'Its runs were deleted before they finished',
      async (start: ScheduleStart) => {
        const requestId = String(start.runRequestId)
        await db.update(runs).set({ status: 'canceled' }).where(eq(runs.requestId, requestId))
        await db.transaction((tx) => deleteRequests(tx, [requestId]))
        await finishStarts(platform.services)
      },
    ],
  ] as const
  for (const [missingBecause, endRuns] of outcomes) {
    const { schedule, start } = await suspect()
    await runAgain()
    await endRuns((await startsOf(schedule.id))[0] as ScheduleStart)
    expect(await settledOf(schedule.id, start.id)).toMatchObject({
      verdict: 'undecided',
      reason: 'not_run_again',
      confirmation: { missingBecause },
    })
    expect(await noticesOf(schedule.id)).toEqual([])
  }
  const { schedule } = await suspect()
  expect((await call('DELETE', `/${schedule.id}`)).status).toBe(204)
  expect(await runSuspectedAgain(platform.services)).toBe(0)
})

test('an accepted drop is the next baseline, and accepting it twice changes nothing', async () => {
  const schedule = await add(gated)
  const first = await night(schedule.id, () => true)
  const accept = (start: ScheduleStart) => call('POST', `/${schedule.id}/starts/${start.id}/accept`)
  const refused = await accept(first)
  expect([refused.status, refused.json.error]).toEqual([412, 'failed_precondition'])
  const dropped = await night(schedule.id, (place) => place % 2 === 0)
  expect((await accept(dropped)).status).toBe(412)
  await runAgain()
  const again = (await startsOf(schedule.id))[0] as ScheduleStart
  await end(again, (place) => place % 2 === 0)
  expect((await accept(again)).status).toBe(412)
  for (const { status, json } of [await accept(dropped), await accept(dropped)])
    expect([status, json.gate.isAccepted]).toEqual([200, true])
  const next = await night(schedule.id, (place) => place % 2 === 1)
  expect(next.gate).toMatchObject({ verdict: 'passed', difference: 0, baseline: { startId: again.id, starts: 2 } })
  expect(await noticesOf(schedule.id)).toEqual(['schedule.dropped'])
})

test('a slow decline is shown and reported once, also where each start passes, until a person accepts it', async () => {
  const schedule = await add(gated)
  let last: ScheduleStart | undefined
  const failing = (count: number) => (place: number) => (place % 10) * 4 + Math.floor(place / 10) >= count
  for (let each = 0; each < 16; each += 1) last = await night(schedule.id, failing(Math.floor(each / 2)))
  expect(last?.gate).toMatchObject({ verdict: 'passed', decline: { starts: expect.any(Number) } })
  expect(last?.gate?.decline?.perStart).toBeCloseTo(-0.0125, 3)
  expect(await noticesOf(schedule.id)).toEqual(['schedule.declining'])
  const { status, json } = await call('POST', `/${schedule.id}/starts/${last?.id}/accept`)
  expect([status, json.gate.isAccepted]).toEqual([200, true])
  const next = await night(schedule.id, failing(7))
  expect(next.gate).toMatchObject({ verdict: 'passed', baseline: { startId: last?.id, starts: 1 } })
  expect(next.gate?.decline).toBeUndefined()
})

test('a version with other prompts is compared on those it shares, and shows no decline by its new mix', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('mixed') })
  const schedule = await add({ ...gated, experimentId: 'mixed' })
  for (let each = 0; each < 8; each += 1) await night(schedule.id, () => true)
  const hard = twoByTwo('mixed').replace('{id: terse, text: Write it.}', '{id: hard, text: Prove it.}')
  await platform.request('POST', '/experiments', { yaml: hard })
  for (let each = 0; each < 3; each += 1) {
    // Variants in order: careful~…~hard, careful~…~wordy, hasty~…~hard, hasty~…~wordy.
    const start = await night(schedule.id, (place) => Math.floor(place / 10) % 2 === 1)
    expect(start.gate).toMatchObject({ verdict: 'passed', difference: 0 })
    expect(start.gate?.decline).toBeUndefined()
  }
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

test('the gate is undecided once retention removed runs of the baseline', async () => {
  const schedule = await add(gated)
  const { runRequestId: requestId = '' } = await night(schedule.id, () => true)
  const run = { runId: requestId, compositeId: 'r', requestId, experimentId: 'e', kind: 'runs' as const, keptDays: 7 }
  const organizationId = platform.organization.id
  await db.insert(runRemovals).values({ ...run, organizationId, removedAt: '2026-11-23T00:00:00.000000Z' })
  const next = await night(schedule.id, () => false)
  expect(next.gate).toMatchObject({ verdict: 'undecided', reason: 'baseline_removed' })
})
