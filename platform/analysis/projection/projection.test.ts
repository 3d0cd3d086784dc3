import { afterAll, expect, onTestFinished, test } from 'vitest'

import { addFinishedRun, addOrganization } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import type { Analytics } from '#platform/ground/services/analytics.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { projectRuns } from './project-runs.ts'
import { reindex } from './reindex.ts'
import { startProjector } from './start-projector.ts'
import { countOutboxRows, enqueueFinishedRuns, findOutboxBatch, insertWaitingRuns } from './store.ts'

const { context: services, close } = await openTestContext()
const { db, analytics } = services
const organizationId = services.organization.id

afterAll(() => close())

const addRun = () =>
  addFinishedRun(db, { organizationId, experimentId: 'e', outcomes: { one: 'passed', two: 'failed' }, model: 'm' })

const held = async () => {
  const [row] = await analytics.query(
    organizationId,
    `SELECT (SELECT toUInt32(count()) FROM runs FINAL) AS runs, (SELECT toUInt32(count()) FROM tests FINAL) AS tests,
       (SELECT toUInt32(uniqExact(run_id)) FROM runs) AS distinct`,
  )
  return row
}

test('the engine receives the same facts of a run as in the state database', async () => {
  const runId = await addRun()
  expect(await projectRuns(services, organizationId)).toBe(1)
  const [run] = await analytics.query(organizationId, 'SELECT * FROM runs FINAL')
  expect(run).toMatchObject({
    run_id: runId,
    id: `a::${runId}`,
    model: 'm',
    product: null,
    passed: 1,
    failed: 1,
    pass_rate: 0.5,
    full_pass: false,
    cost_usd: null,
    ended_at: '2026-11-20 10:00:00.000001',
  })
  const tests = await analytics.query(organizationId, 'SELECT test_name, outcome FROM tests FINAL ORDER BY test_name')
  expect(tests).toEqual([
    { test_name: 'one', outcome: 'passed' },
    { test_name: 'two', outcome: 'failed' },
  ])
  expect(await countOutboxRows(db, organizationId)).toBe(0)
})

test('the engine stores each run once, however often it is projected', async () => {
  await enqueueFinishedRuns(db, organizationId)
  await projectRuns(services, organizationId)
  await enqueueFinishedRuns(db, organizationId)
  await Promise.all([projectRuns(services, organizationId), projectRuns(services, organizationId)])
  expect(await held()).toEqual({ runs: 1, tests: 2, distinct: 1 })
})

test('a projector that is killed between two inserts loses and duplicates nothing', async () => {
  await addRun()
  const dying: Analytics = {
    ...analytics,
    insert: (organization, table, rows) =>
      table === 'runs' ? Promise.reject(new Error('died')) : analytics.insert(organization, table, rows),
  }
  await expect(projectRuns({ ...services, analytics: dying }, organizationId)).rejects.toThrow('died')
  expect(await countOutboxRows(db, organizationId)).toBe(1)
  await projectRuns(services, organizationId)
  expect(await held()).toEqual({ runs: 2, tests: 4, distinct: 2 })
})

test('two concurrent projectors insert each run once, and wake without waiting for the interval', async () => {
  const options = { intervalMilliseconds: 60_000 }
  const projectors = [startProjector(services, options), startProjector(services, options)]
  for (let i = 0; i < 20; i++) await addRun()
  for (const projector of projectors) projector.wake()
  await expect.poll(() => countOutboxRows(db, organizationId)).toBe(0)
  await Promise.all(projectors.map((projector) => projector.stop()))
  expect(await held()).toEqual({ runs: 22, tests: 44, distinct: 22 })
})

test('reindex rebuilds the engine from the state database and reports its progress', async () => {
  await analytics.clear(organizationId)
  expect(await held()).toEqual({ runs: 0, tests: 0, distinct: 0 })
  await addRun()
  const seen: number[] = []
  expect(await reindex(services, organizationId, (projected, total) => seen.push(projected, total))).toBe(23)
  expect(seen).toEqual([0, 23, 23, 23])
  expect(await held()).toEqual({ runs: 23, tests: 46, distinct: 23 })
})

const onPostgres = test.runIf(process.env['TEST_DATABASE_URL'])

onPostgres(
  'several servers on one database write an organization’s rows one at a time, a reindex included',
  async () => {
    let going = 0
    let most = 0
    const watched = async <T>(work: () => Promise<T>) => {
      going += 1
      most = Math.max(most, going)
      return work().finally(() => (going -= 1))
    }
    // A separate server, as seen from this process's queue.
    const server = () => ({
      ...services,
      analytics: {
        ...analytics,
        insert: (...given: Parameters<Analytics['insert']>) => watched(() => analytics.insert(...given)),
        clear: (id: string) => watched(() => analytics.clear(id)),
      },
    })
    for (let i = 0; i < 10; i++) await addRun()
    await Promise.all([
      projectRuns(server(), organizationId),
      reindex(server(), organizationId),
      projectRuns(server(), organizationId),
      reindex(server(), organizationId),
    ])
    expect(most).toBe(1)
    expect(await held()).toEqual({ runs: 33, tests: 66, distinct: 33 })
  },
)

onPostgres('work for more organizations than the pool has connections ends', async () => {
  const ids = await Promise.all(Array.from({ length: 24 }, () => addOrganization(db)))
  const works = ids.map((id) => oneAtATime(services, id, () => countOutboxRows(db, id)))
  expect(await Promise.all(works)).toEqual(ids.map(() => 0))
})

const writers = [
  { who: 'this process', elsewhere: services, runs: test },
  { who: 'another process', elsewhere: { db, analytics: { ...analytics } }, runs: onPostgres },
]

for (const { who, elsewhere, runs } of writers)
  runs(`while ${who} writes one organization’s rows for a long time, rows of other organizations arrive`, async () => {
    const other = await addOrganization(db)
    const addOther = () => addFinishedRun(db, { organizationId: other, experimentId: 'e', outcomes: {} })
    const hold = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const writing = oneAtATime(elsewhere, organizationId, async () => {
      began.resolve()
      await hold.promise
    })
    await began.promise
    const projector = startProjector(services, { intervalMilliseconds: 50 })
    onTestFinished(() => projector.stop())
    const waiting = (id: string) => () => countOutboxRows(db, id)
    try {
      // Twice, because in a single round the other organization may have come first.
      for (let round = 0; round < 2; round += 1) {
        await addRun()
        await addOther()
        await expect.poll(waiting(other)).toBe(0)
      }
      expect(await waiting(organizationId)()).toBe(2)
    } finally {
      hold.resolve()
      await writing
    }
    await expect.poll(waiting(organizationId)).toBe(0)
  })

test('while the engine of one organization stores nothing, rows of other organizations arrive', async () => {
  const other = await addOrganization(db)
  const hold = Promise.withResolvers<void>()
  const stuck: Analytics = {
    ...analytics,
    async insert(id, ...rows) {
      if (id === organizationId) await hold.promise
      return analytics.insert(id, ...rows)
    },
  }
  await addRun()
  const projector = startProjector({ ...services, analytics: stuck }, { intervalMilliseconds: 50 })
  try {
    // Twice, because in a single round the other organization may have come first.
    for (let round = 0; round < 2; round += 1) {
      await addFinishedRun(db, { organizationId: other, experimentId: 'e', outcomes: {} })
      await expect.poll(() => countOutboxRows(db, other)).toBe(0)
    }
    expect(await countOutboxRows(db, organizationId)).toBe(1)
  } finally {
    hold.resolve()
    await projector.stop()
  }
})

test('an organization with many runs takes turns with the others', async () => {
  const other = await addOrganization(db)
  const many = await addRun()
  await addFinishedRun(db, { organizationId: other, experimentId: 'e', outcomes: {} })
  await insertWaitingRuns(db, organizationId, Array<string>(1000).fill(many))
  const order: string[] = []
  const watched: Analytics = {
    ...analytics,
    insert(id, table, rows) {
      if (table === 'runs') order.push(id)
      return analytics.insert(id, table, rows)
    },
  }
  const projector = startProjector({ ...services, analytics: watched })
  onTestFinished(() => projector.stop())
  for (const id of [organizationId, other]) await expect.poll(() => countOutboxRows(db, id)).toBe(0)
  expect(order.filter((id) => id === organizationId)).toHaveLength(6)
  expect(order.indexOf(other)).toBeLessThanOrEqual(1)
})

test('runs that were left out of the outbox are added to it, each once, and those of others are not', async () => {
  const other = await addOrganization(db)
  await addFinishedRun(db, { organizationId: other, experimentId: 'e', outcomes: {} })
  await projectRuns(services, other)
  const waits = await addRun()
  await enqueueFinishedRuns(db, organizationId)
  await enqueueFinishedRuns(db, organizationId)
  const batch = await findOutboxBatch(db, organizationId, 1000)
  const runIds = batch.map(({ runId }) => runId)
  expect(runIds).toContain(waits)
  expect(new Set(runIds).size).toBe(runIds.length)
  expect(runIds.length).toBeGreaterThan(20)
  expect(await countOutboxRows(db, other)).toBe(0)
})
