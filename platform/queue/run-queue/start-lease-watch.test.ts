import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { findTestRun, openTestRunEngine, submitTestRuns, waitUntil } from '#platform/program/testing/test-run-engine.ts'
import { claimRuns } from './claim-runs.ts'
import { startLeaseWatch } from './start-lease-watch.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

test('a server without workers of its own requeues the runs of a worker that died', async () => {
  const definition = { id: 'watched', name: 'Watched', agents: [{ id: 'a', command: ['x'] }] }
  const { runIds } = await submitTestRuns(bench.db, { definition })
  await claimRuns(bench.db, { workerId: 'dead', leaseSeconds: 1 }, 1)
  const find = () => findTestRun(bench.db, runIds[0] ?? '')
  expect(await find()).toMatchObject({ status: 'running' })
  const stop = startLeaseWatch(bench.services, { leaseSeconds: 0.2, everyMs: 50 })
  await waitUntil(async () => (await find()).status === 'queued', 'the requeue')
  await stop()
  expect(await find()).toMatchObject({ losses: 1, leaseOwner: null })
})
