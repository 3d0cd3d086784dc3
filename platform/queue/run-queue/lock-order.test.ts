import { eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { countRepeated } from '#platform/ground/database/open-postgres.ts'
import { ciBuilds, runs } from '#platform/ground/database/tables/runs.ts'
import { openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
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

// The embedded database has one connection, so there no transaction waits for the lock of another.
const onServer = test.runIf(process.env['TEST_DATABASE_URL'])

onServer('a heartbeat waits for no lock: the claim counts as held, and the others are renewed', async () => {
  const { requestId } = await submitTestRuns(bench.db, { definition, repeat: 2 })
  const claimed = await claimRuns(bench.db, worker, 2)
  const builds = [await claimBuild(bench.db, worker), await claimBuild(bench.db, worker)]
  const holding = { runIds: claimed.map((run) => run.id), requestIds: [requestId] }
  const leases = async () => [
    ...(await bench.db
      .select({ at: runs.leaseExpiresAt })
      .from(runs)
      .where(isNotNull(runs.leaseOwner))
      .orderBy(runs.id)),
    ...(await bench.db
      .select({ at: ciBuilds.leaseExpiresAt })
      .from(ciBuilds)
      .where(isNotNull(ciBuilds.leaseOwner))
      .orderBy(ciBuilds.environment)),
  ]
  const before = await leases()
  await bench.db.transaction(async (tx) => {
    await tx.select().from(ciBuilds).orderBy(ciBuilds.environment).limit(1).for('update')
    await tx.select().from(runs).where(isNotNull(runs.leaseOwner)).orderBy(runs.id).limit(1).for('update')
    const { held } = await renewLeases(bench.db, worker, holding)
    expect([held.size, builds.length]).toEqual([4, 2])
  })
  const after = await leases()
  expect(after.map(({ at }, index) => at !== before[index]?.at)).toEqual([false, true, false, true])
  await bench.empty()
})

onServer('a cancel locks running runs last, and cancels one that is requeued while it waits for it', async () => {
  const { requestId } = await submitTestRuns(bench.db, { definition, repeat: 1 })
  const [run] = await claimRuns(bench.db, worker, 1)
  const statuses = async () => {
    const rows = await bench.db.select({ status: runs.status }).from(runs).where(eq(runs.requestId, requestId))
    return rows.map(({ status }) => status)
  }
  let canceling: Promise<number> = Promise.resolve(0)
  await bench.db.transaction(async (tx) => {
    await tx
      .select()
      .from(runs)
      .where(eq(runs.id, run?.id ?? ''))
      .for('update')
    canceling = bench.db.transaction((other) => cancelRunsOf(other, { requestId }))
    // It has locked the three waiting ones.
    const free = bench.db
      .select()
      .from(runs)
      .where(eq(runs.status, 'waiting_for_ci'))
      .for('update', { skipLocked: true })
    await expect.poll(() => free).toEqual([])
    await tx
      .update(runs)
      .set({ status: 'queued', leaseOwner: null, leaseExpiresAt: null })
      .where(eq(runs.id, run?.id ?? ''))
  })
  expect([await canceling, await statuses()]).toEqual([4, ['canceled', 'canceled', 'canceled', 'canceled']])
  await bench.empty()
})

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
