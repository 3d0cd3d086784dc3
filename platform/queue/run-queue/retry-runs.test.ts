import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import type { InfrastructureCause } from '#contract/infrastructure.ts'
import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { creditHolds, runUsage } from '#platform/ground/database/tables/credits.ts'
import { ciBuilds, runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import { findTestRun, openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { claimBuild } from './claim-builds.ts'
import { claimRuns, type RunRow } from './claim-runs.ts'
import { cancelRunsOf } from './end-or-request-cancel.ts'
import { pauseSeconds } from './retry-runs.ts'
import { settleBuild } from './settle-build.ts'
import { settleRun } from './settle-run.ts'
import type { RunEnding } from './run-ending.ts'

const definition = { id: 'retried', name: 'Retried', agents: [{ id: 'a', command: ['x'] }] }
const withBuild = { ...definition, environments: [{ id: 'built', ci: { command: ['make'] } }] }
const worker = { workerId: 'w', leaseSeconds: 60 }

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
}, 180_000)
afterEach(() => bench.empty())
afterAll(() => bench.close())

const ended = (cause: InfrastructureCause | null, more: Partial<RunEnding> = {}): RunEnding => ({
  status: 'errored',
  statusReason: 'The model provider failed, not the agent: Overloaded',
  infrastructure: cause && { cause, isTransient: true },
  tests: [],
  transcript: null,
  testAwareEvidenceSeq: null,
  wallSeconds: 1,
  heldSeconds: 10,
  timeBudgetSeconds: null,
  timeLimitHit: false,
  ...more,
})

async function claim(): Promise<RunRow> {
  const [run] = await claimRuns(bench.db, worker, 1)
  if (!run) throw new Error('nothing to claim')
  return run
}
const settle = (run: RunRow, ending: RunEnding) => settleRun(bench.services, { ...run, runId: run.id }, ending)
const endPauses = async () => {
  await bench.db.update(runs).set({ claimableAt: null })
  await bench.db.update(ciBuilds).set({ claimableAt: null })
}

test('a run that infrastructure ends returns to the queue, waits, and ends with its cause after its last retry', async () => {
  const { runIds } = await submitTestRuns(bench.db, { definition })
  const [id = ''] = runIds
  const first = await claim()
  expect(await settle(first, ended('provider_outage'))).toBe(true)
  expect(await settle(first, ended('provider_outage'))).toBe(false)
  const waiting = await findTestRun(bench.db, id)
  expect(waiting).toMatchObject({ status: 'queued', attempt: 1, losses: 1, infrastructureCause: null, endedAt: null })
  expect(Date.parse(waiting.claimableAt ?? '')).toBeGreaterThan(Date.parse(waiting.statusUpdatedAt) + 9000)
  expect(await claimRuns(bench.db, worker, 1)).toEqual([])
  expect(await bench.db.select().from(analyticsOutbox)).toEqual([])
  for (const attempt of [2, 3]) {
    await endPauses()
    const again = await claim()
    expect(again.attempt).toBe(attempt)
    await settle(again, ended('provider_outage'))
  }
  expect(await findTestRun(bench.db, id)).toMatchObject({
    status: 'errored',
    attempt: 3,
    infrastructureCause: 'provider_outage',
    claimableAt: null,
  })
  const history = await bench.db.select().from(runStatusChanges).orderBy(runStatusChanges.seq)
  expect(history.flatMap(({ attempt, infrastructureCause }) => (infrastructureCause ? [attempt] : []))).toEqual([
    1, 2, 3,
  ])
  expect(await bench.db.select().from(analyticsOutbox)).toHaveLength(1)
})

test('permanent failures and failures of the definition are not retried', async () => {
  await submitTestRuns(bench.db, { definition, repeat: 2 })
  const [one, other] = await claimRuns(bench.db, worker, 2)
  if (!one || !other) throw new Error('nothing to claim')
  await settle(one, ended(null, { infrastructure: { cause: 'sandbox', isTransient: false } }))
  await settle(other, ended(null, { statusReason: 'Setup command make failed: exit code 2' }))
  expect(await findTestRun(bench.db, one.id)).toMatchObject({ status: 'errored', infrastructureCause: 'sandbox' })
  expect(await findTestRun(bench.db, other.id)).toMatchObject({ status: 'errored', infrastructureCause: null })
})

test('a cancel ends a run that waits for its next attempt, and a canceled run is never retried', async () => {
  const { requestId, runIds } = await submitTestRuns(bench.db, { definition, repeat: 2 })
  const [one, other] = await claimRuns(bench.db, worker, 2)
  if (!one || !other) throw new Error('nothing to claim')
  await settle(one, ended('disk_full'))
  expect(await bench.db.transaction((tx) => cancelRunsOf(tx, { requestId }))).toBe(2)
  await settle(other, ended('disk_full'))
  const found = await Promise.all(runIds.map((id) => findTestRun(bench.db, id)))
  expect(found.map(({ status, infrastructureCause }) => [status, infrastructureCause])).toEqual([
    ['canceled', null],
    ['canceled', null],
  ])
  expect(found.map(({ statusReason }) => statusReason).toSorted()).toEqual([
    'Canceled',
    'Canceled before its next attempt',
  ])
})

const use = (costUsd: number) => ({
  calls: 1,
  inputTokens: 1,
  outputTokens: 1,
  costUsd,
  hasEstimates: false,
  limitUsd: null,
  limitHit: null,
})

test('every attempt is charged for its model calls, and seconds that the platform itself lost are free', async () => {
  const { organizationId, runIds } = await submitTestRuns(bench.db, { definition, repeat: 2 })
  for (const runId of runIds)
    await bench.db.insert(creditHolds).values({ runId, organizationId, parts: [], runRate: 1000, platformKey: true })
  const [one, other] = await claimRuns(bench.db, worker, 2)
  if (!one || !other) throw new Error('nothing to claim')
  await settle(one, ended('provider_outage', { models: use(0.5) }))
  await settle(other, ended('disk_full', { models: use(0.25) }))
  expect(await bench.db.select().from(runUsage)).toEqual([])
  await endPauses()
  for (const run of await claimRuns(bench.db, worker, 2))
    await settle(run, ended(null, { status: 'completed', models: use(1) }))
  const charges = async (runId: string) => (await bench.db.select().from(runUsage).where(eq(runUsage.runId, runId)))[0]
  expect(await charges(one.id)).toMatchObject({ modelMicros: 1_500_000n, infrastructureMicros: 20_000n })
  expect(await charges(other.id)).toMatchObject({ modelMicros: 1_250_000n, infrastructureMicros: 10_000n })
  expect(await findTestRun(bench.db, one.id)).toMatchObject({ costUsd: 1, earlierCostUsd: 0.5, earlierSeconds: 10 })
})

test('a build that infrastructure ends is an attempt of each waiting run, and only runs without retries end', async () => {
  const { runIds } = await submitTestRuns(bench.db, { definition: withBuild, repeat: 2 })
  const [never = '', twice = ''] = runIds
  await bench.db.update(runs).set({ retries: 0 }).where(eq(runs.id, never))
  const outage = {
    failure: 'the registry failed',
    outputTail: '',
    infrastructure: { cause: 'image_pull', isTransient: true },
  } as const
  for (const losses of [1, 2]) {
    const build = await claimBuild(bench.db, worker)
    if (!build) throw new Error('no build')
    expect(await settleBuild(bench.db, build, outage)).toBe(true)
    expect(await settleBuild(bench.db, build, outage)).toBe(false)
    expect(await claimBuild(bench.db, worker)).toBeNull()
    expect(await findTestRun(bench.db, twice)).toMatchObject({ status: 'waiting_for_ci', losses, attempt: losses })
    await endPauses()
  }
  expect(await findTestRun(bench.db, never)).toMatchObject({ status: 'errored', infrastructureCause: 'image_pull' })
  const build = await claimBuild(bench.db, worker)
  if (!build) throw new Error('no build')
  await settleBuild(bench.db, build, { failure: null, outputTail: '' })
  expect(await claim()).toMatchObject({ id: twice, attempt: 3 })
})

test('a build that fails because of its definition ends its runs at once', async () => {
  const { runIds } = await submitTestRuns(bench.db, { definition: withBuild })
  const build = await claimBuild(bench.db, worker)
  if (!build) throw new Error('no build')
  await settleBuild(bench.db, build, { failure: 'the registry has no such image', outputTail: '' })
  expect(await findTestRun(bench.db, runIds[0] ?? '')).toMatchObject({ status: 'errored', infrastructureCause: null })
})

test('pauses grow, have an upper limit, and a lost worker needs none', () => {
  const least = [0, 1, 2, 9].map((losses) => pauseSeconds('image_pull', losses))
  for (const [index, seconds] of [10, 30, 90, 600].entries()) {
    expect(least[index]).toBeGreaterThanOrEqual(seconds)
    expect(least[index]).toBeLessThanOrEqual(seconds * 1.2)
  }
  expect(pauseSeconds('worker_lost', 1)).toBe(0)
})
