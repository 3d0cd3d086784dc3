import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { ciBuilds, runs } from '#platform/ground/database/tables/runs.ts'
import { findTestRun, openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { claimBuild } from './claim-builds.ts'
import { claimRuns } from './claim-runs.ts'
import { reclaimLostRuns } from './reclaim-lost-runs.ts'

const definition = {
  id: 'lost',
  name: 'Lost',
  agents: [{ id: 'a', command: ['x'] }],
  tests: ['one', 'two'].map((name) => ({ name, command: ['x'] })),
}
const withBuild = { ...definition, environments: [{ id: 'built', ci: { command: ['make'] } }, { id: 'plain' }] }

const worker = (workerId: string) => ({ workerId, leaseSeconds: 60 })

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

test('orderly stops do not count as losses', async () => {
  const { runIds } = await submitTestRuns(bench.db, { definition: withBuild })
  const stop = (name: string) =>
    reclaimLostRuns(bench.services, { workers: { workerIds: [name] }, reason: 'Stopped', givesUp: false })
  for (const name of ['one', 'two', 'three', 'four']) {
    await claimRuns(bench.db, worker(name), 2)
    expect(await claimBuild(bench.db, worker(name))).not.toBeNull()
    await stop(name)
  }
  await claimRuns(bench.db, worker('lost'), 2)
  await claimBuild(bench.db, worker('lost'))
  await reclaimLostRuns(bench.services, { workers: { workerIds: ['lost'] } })
  expect(await bench.db.select().from(ciBuilds)).toMatchObject([{ status: 'queued', losses: 1, attempt: 5 }])
  const found = await Promise.all(runIds.map((id) => findTestRun(bench.db, id)))
  expect(found.map(({ status, losses }) => `${status} ${losses}`).toSorted()).toEqual(['queued 1', 'waiting_for_ci 1'])
})

test('limits.retries says how many losses a run survives, and the reason counts them', async () => {
  const { runIds } = await submitTestRuns(bench.db, { definition, repeat: 2 })
  const [never = '', once = ''] = runIds
  for (const [id, retries] of [
    [never, 0],
    [once, 1],
  ] as const)
    await bench.db.update(runs).set({ retries }).where(eq(runs.id, id))
  const lose = async () => {
    await claimRuns(bench.db, worker('w'), 2)
    await reclaimLostRuns(bench.services, { workers: { workerIds: ['w'] } })
  }
  await lose()
  expect(await findTestRun(bench.db, never)).toMatchObject({ status: 'errored', statusReason: 'The worker was lost' })
  expect(await findTestRun(bench.db, once)).toMatchObject({ status: 'queued', losses: 1 })
  await lose()
  expect((await findTestRun(bench.db, once)).statusReason).toBe('The worker was lost 2 times')
})

test('the third loss ends a run as errored and its tests as unresolved', async () => {
  const { runIds } = await submitTestRuns(bench.db, { definition })
  for (const name of ['first', 'second', 'third']) {
    await claimRuns(bench.db, worker(name), 1)
    await reclaimLostRuns(bench.services, { workers: { workerIds: [name] } })
  }
  expect(await findTestRun(bench.db, runIds[0] ?? '')).toMatchObject({
    status: 'errored',
    statusReason: 'The worker was lost 3 times',
    testsUnresolved: 2,
  })
  expect(await bench.db.select().from(analyticsOutbox)).toHaveLength(1)
})
