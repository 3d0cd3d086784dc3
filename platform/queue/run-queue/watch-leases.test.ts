import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { claimRuns } from './claim-runs.ts'
import { renewLeases } from './renew-leases.ts'
import { watchLeases } from './watch-leases.ts'

const definition = { id: 'watched', name: 'Watched', agents: [{ id: 'a', command: ['x'] }] }
const worker = { workerId: 'w', leaseSeconds: 10 }

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
let runIds: string[]
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

/** A watch over one claimed run, and its clock, which only the test advances. */
async function openWatch() {
  ;({ runIds } = await submitTestRuns(bench.db, { definition }))
  await claimRuns(bench.db, worker, 1)
  let now = 0
  const { look, forget } = watchLeases(bench.db, worker.leaseSeconds, { now: () => now })
  const lookAfter = async (afterSeconds: number) => {
    now += afterSeconds * 1000
    return (await look()).map(({ leaseOwner }) => leaseOwner)
  }
  return Object.assign(lookAfter, { forget })
}

const renew = () => renewLeases(bench.db, worker, { runIds, requestIds: [] })

test('a worker is lost once its heartbeat has not changed for the length of a lease, and not before', async () => {
  const lookAfter = await openWatch()
  for (const seconds of [0, 3, 3, 3]) expect(await lookAfter(seconds)).toEqual([])
  expect(await lookAfter(1)).toEqual(['w'])
})

test('a worker that renews its leases is never lost', async () => {
  const lookAfter = await openWatch()
  for (let second = 0; second < 30; second += 3) {
    await renew()
    expect(await lookAfter(3)).toEqual([])
  }
})

test('an hour’s step of the database clock in either direction loses no lease and delays no takeover', async () => {
  for (const step of ['-1 hour', '1 hour']) {
    const lookAfter = await openWatch()
    await lookAfter(0)
    await renew()
    await bench.db.update(runs).set({ leaseExpiresAt: sql`lease_expires_at + ${step}::interval` })
    for (const seconds of [3, 3, 3, 3]) expect(await lookAfter(seconds)).toEqual([])
    expect(await lookAfter(1)).toEqual(['w'])
    await bench.empty()
  }
})

test('after a time without database answers, every worker has one lease length to renew', async () => {
  const lookAfter = await openWatch()
  await lookAfter(0)
  expect(await lookAfter(60)).toEqual([])
  for (const seconds of [3, 3, 3]) expect(await lookAfter(seconds)).toEqual([])
  expect(await lookAfter(1)).toEqual(['w'])
})

test('after any database failure, every worker has one lease length to renew', async () => {
  const lookAfter = await openWatch()
  for (const seconds of [0, 3, 3, 3]) expect(await lookAfter(seconds)).toEqual([])
  lookAfter.forget()
  for (const seconds of [1, 3, 3, 3]) expect(await lookAfter(seconds)).toEqual([])
  expect(await lookAfter(1)).toEqual(['w'])
})

test('a worker that seems to have ended is lost at the second look, unless it renewed its lease meanwhile', async () => {
  await openWatch()
  const watch = (ended: string) => watchLeases(bench.db, 10, { hasEnded: (id) => id === ended })
  const [ours, theirs] = [watch('w'), watch('another')]
  const look = async ({ look }: typeof ours) => (await look()).map(({ leaseOwner }) => leaseOwner)
  expect(await look(ours)).toEqual([])
  await renew()
  expect(await look(ours)).toEqual([])
  expect(await look(ours)).toEqual(['w'])
  for (let looks = 0; looks < 3; looks += 1) expect(await look(theirs)).toEqual([])
})
