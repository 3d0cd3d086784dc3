import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { memberships, users } from '#platform/ground/database/tables/identity.ts'
import { notificationEntries, notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { findTestRun, openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { cancelRunsOf } from './end-or-request-cancel.ts'
import { claimBuild } from './claim-builds.ts'
import { claimRuns } from './claim-runs.ts'
import { reclaimLostRuns } from './reclaim-lost-runs.ts'
import { settleBuild } from './settle-build.ts'
import { settleRun } from './settle-run.ts'
import type { RunEnding } from './run-ending.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
beforeEach(() => bench.empty())
afterAll(() => bench.close())

const worker = { workerId: 'w', leaseSeconds: 60 }
const definition = { id: 'told', name: 'Told', agents: [{ id: 'a', command: ['x'] }] }
const completed: RunEnding = {
  status: 'completed',
  statusReason: null,
  tests: [],
  transcript: null,
  testAwareEvidenceSeq: null,
  wallSeconds: 1,
  heldSeconds: 1,
  timeBudgetSeconds: null,
  timeLimitHit: false,
}

/** Submits queued runs as a member of the organization. */
async function submit(repeat: number, document: unknown = definition) {
  const submitted = await submitTestRuns(bench.db, { definition: document, repeat })
  const [runId = ''] = submitted.runIds
  const { triggeredBy: userId, organizationId } = await findTestRun(bench.db, runId)
  await bench.db.insert(users).values({ id: userId, email: `${userId}@lab.example`, name: 'Submitter' })
  await bench.db.insert(memberships).values({ organizationId, userId, role: 'member' })
  return { ...submitted, userId }
}

const claimAll = async () => (await claimRuns(bench.db, worker, 100)).map(({ id, ...run }) => ({ ...run, runId: id }))

const notifications = () =>
  bench.db
    .select({
      userId: notificationEntries.userId,
      subject: notificationEvents.subjectId,
      payload: notificationEvents.payload,
    })
    .from(notificationEntries)
    .innerJoin(notificationEvents, eq(notificationEvents.id, notificationEntries.eventId))

const facts = { experiment_id: 'told', experiment_name: 'Told', ordinal: 1 }
const endings = (counts: Partial<Record<'completed' | 'errored' | 'canceled', number>>) => ({
  ...facts,
  completed: 0,
  errored: 0,
  canceled: 0,
  // These runs have no tests: completed ones count for nothing, and errored ones as not solved.
  solved: { solved: 0, runs: counts.errored ?? 0 },
  ...counts,
})

test('the submitter is notified once, after the last run ends, even if several end at once', async () => {
  const { requestId, userId } = await submit(12)
  const claimed = await claimAll()
  const [first, ...others] = claimed
  if (!first) throw new Error('nothing was claimed')
  await Promise.all(others.map((run) => settleRun(bench.services, run, completed)))
  expect(await notifications()).toEqual([])
  await settleRun(bench.services, first, { ...completed, status: 'errored' })
  const once = [{ userId, subject: requestId, payload: endings({ completed: 11, errored: 1 }) }]
  expect(await notifications()).toEqual(once)
})

test('runs of a request that all end at the same time cause one notification', async () => {
  for (let round = 0; round < 5; round += 1) await submit(8)
  const claimed = await claimAll()
  await Promise.all(claimed.map((run) => settleRun(bench.services, run, completed)))
  expect(await notifications()).toHaveLength(5)
  expect((await notifications()).map(({ payload }) => payload)).toEqual(
    Array.from({ length: 5 }, () => endings({ completed: 8 })),
  )
})

test('a worker that settles a run after losing it does not notify the submitter again', async () => {
  await submit(1)
  const [lost] = await claimAll()
  await reclaimLostRuns(bench.services, { workers: 'all' })
  const [again] = await claimAll()
  if (!lost || !again) throw new Error('nothing was claimed')
  expect(await settleRun(bench.services, lost, completed)).toBe(false)
  expect(await notifications()).toEqual([])
  expect(await settleRun(bench.services, again, completed)).toBe(true)
  expect(await settleRun(bench.services, again, completed)).toBe(false)
  expect(await notifications()).toHaveLength(1)
})

test('the submitter is notified when the last run of a request is lost for good, which is not counted as unsolved', async () => {
  const { requestId } = await submit(2)
  const [first] = await claimAll()
  if (!first) throw new Error('nothing was claimed')
  await settleRun(bench.services, first, completed)
  await bench.db
    .update(runs)
    .set({ losses: sql`${runs.retries}` })
    .where(eq(runs.requestId, requestId))
  await reclaimLostRuns(bench.services, { workers: 'all' })
  const counts = { ...endings({ completed: 1, errored: 1 }), solved: { solved: 0, runs: 0 } }
  expect((await notifications()).map(({ payload }) => payload)).toEqual([counts])
})

test('canceling the last waiting runs notifies the submitter once, but not while a run is still running', async () => {
  const { requestId } = await submit(3)
  const [running] = (await claimRuns(bench.db, worker, 1)).map(({ id, ...run }) => ({ ...run, runId: id }))
  if (!running) throw new Error('nothing was claimed')
  const cancel = () => bench.db.transaction((tx) => cancelRunsOf(tx, { requestId }))
  await cancel()
  expect(await notifications()).toEqual([])
  await settleRun(bench.services, running, completed)
  await cancel()
  expect((await notifications()).map(({ payload }) => payload)).toEqual([endings({ canceled: 3 })])
})

test('a failed build that ends every run notifies the submitter', async () => {
  const environments = [{ id: 'built', ci: { command: ['make'] } }]
  await submit(2, { ...definition, environments })
  const build = await claimBuild(bench.db, worker)
  if (!build) throw new Error('no build was claimed')
  await settleBuild(bench.db, build, { failure: 'exit code 2', outputTail: '' })
  expect((await notifications()).map(({ payload }) => payload)).toEqual([endings({ errored: 2 })])
})
