import { afterAll, beforeAll, expect, test } from 'vitest'

import { countRepeated } from '#platform/database/open-postgres.ts'
import { openTestRunEngine, submitTestRuns } from '#platform/testing/test-run-engine.ts'
import { cancelRunsOf } from './end-or-request-cancel.ts'
import { claimBuild } from './claim-builds.ts'
import { claimRuns } from './claim-runs.ts'
import { renewLeases } from './renew-leases.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterAll(() => bench.close())

const worker = { workerId: 'w', leaseSeconds: 60 }

const definition = {
  id: 'locked',
  name: 'Locked',
  agents: [{ id: 'a', command: ['x'] }],
  environments: [...['one', 'two', 'three'].map((id) => ({ id, ci: { command: ['make'] } })), { id: 'plain' }],
}

/** Needs PostgreSQL, where several connections lock rows at once; the embedded database has one connection. */
test('heartbeats and cancels of the same runs and builds never deadlock', async () => {
  const repeatedBefore = countRepeated()
  for (let round = 0; round < 10; round += 1) {
    const { requestId, runIds } = await submitTestRuns(bench.db, { definition, repeat: 100 })
    const claimed = await claimRuns(bench.db, worker, 100)
    while (await claimBuild(bench.db, worker));
    const holding = { runIds: claimed.map((run) => run.id).toReversed(), requestIds: [requestId] }
    const settled = await Promise.allSettled([
      renewLeases(bench.db, worker, holding),
      bench.db.transaction((tx) => cancelRunsOf(tx, { requestId, runIds })),
      renewLeases(bench.db, worker, holding),
      bench.db.transaction((tx) => cancelRunsOf(tx, { requestId })),
      renewLeases(bench.db, worker, { ...holding, runIds: claimed.map((run) => run.id) }),
    ])
    expect(settled.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))).toEqual([])
    const { held, canceled } = await renewLeases(bench.db, worker, holding)
    expect([held.size, canceled.size]).toEqual([100, 100])
  }
  // A transaction that loses a deadlock is repeated, and so would pass.
  expect(countRepeated()).toBe(repeatedBefore)
}, 60_000)
