import { eq, inArray } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { runUsage } from '#platform/ground/database/tables/credits.ts'
import { runRequests, runs, transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import { enqueueRuns } from '#platform/analysis/projection/enqueue-label-changes.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { sweepRetention } from '#platform/results/retention/sweep-retention.ts'
import { ended, openBulkActions, solved } from '#platform/program/testing/bulk-actions.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { performBatch } from './perform-batch.ts'
import { projectRemovals } from './project-removals.ts'

const { platform, member, person, post, submit, propose, start, show, work, idsOf, setRuns, addImported } =
  await openBulkActions()
afterAll(() => platform.close())

test('only imported runs are deleted, by admins who type it, with their analytics rows and an audit event', async () => {
  const { db, analytics } = platform.services
  await addVersion(db, { organizationId: platform.organization.id, experimentId: 'imported', ordinal: 1 })
  const imported = [await addImported('imported'), await addImported('imported')]
  const requestId = await submit('not-imported')
  const [own = ''] = await idsOf(requestId)
  await setRuns([own], solved)
  await projectRuns(platform.services, platform.organization.id)
  const rowsOf = async (experimentId: string) => {
    const sql = `select count() as n from runs where experiment_id = '${experimentId}'`
    return Number((await analytics.query(platform.organization.id, sql))[0]?.['n'])
  }
  expect([await rowsOf('imported'), await rowsOf('not-imported')]).toEqual([2, 1])
  expect((await post('/bulk-actions', { kind: 'delete' }, member)).status).toBe(403)
  const version = (await platform.request('GET', '/runs?experiment_id=imported')).json.stamp
  const runUuids = [...imported, own]
  const { id, ...proposal } = await propose({ kind: 'delete', runUuids })
  expect(proposal).toMatchObject({ touched: 2, leftOut: [{ reason: 'not imported', runs: 1 }] })
  const untyped = await start(id)
  expect([untyped.status, untyped.json.message]).toEqual([400, expect.stringContaining('“delete 2”')])
  expect((await start(id, { confirmation: 'delete 3' })).status).toBe(400)
  expect((await start(id, { confirmation: 'Delete 2 ' })).status).toBe(200)
  await work()
  expect(await show(id)).toMatchObject({ state: 'done', progress: { done: 2, failed: 0 } })
  expect(await db.select().from(runs).where(inArray(runs.id, imported))).toEqual([])
  expect(await db.$count(runs, eq(runs.id, own))).toBe(1)
  await projectRemovals(platform.services)
  // Others are not even gone for a moment.
  expect([await rowsOf('imported'), await rowsOf('not-imported')]).toEqual([0, 1])
  const poll = await platform.request('GET', `/runs?experiment_id=imported&changed_since=${version}`)
  expect(poll.json).toMatchObject({ runs: [] })
  expect(poll.json.changes).toBeUndefined()
  const { events } = (await platform.request('GET', '/admin/v1/audit-events?event=run.delete')).json
  expect(events).toMatchObject([{ subject: id, details: { importedRuns: 2 } }])
})

test('a deletion is done and others continue while the analytics fail, and one server brings them up to date', async () => {
  const { services } = platform
  let [removals, isBroken] = [0, true]
  const remove: typeof services.analytics.remove = async (...removed) => {
    removals += 1
    if (isBroken) throw new Error('the engine is away')
    return services.analytics.remove(...removed)
  }
  const analytics = new Proxy(services.analytics, {
    get: (engine, name) => (name === 'remove' ? remove : Reflect.get(engine, name)),
  })
  const faulty = { ...services, analytics }
  const runUuids = [await addImported('imported'), await addImported('imported')]
  await submit('meanwhile')
  const deletion = await propose({ kind: 'delete', runUuids })
  const other = await propose({ kind: 'cancel' }, '?experiment_id=meanwhile')
  await start(deletion.id, { confirmation: 'delete 2' })
  await start(other.id)
  while (await performBatch(faulty));
  for (let attempt = 0; attempt < 6; attempt += 1)
    await expect(projectRemovals(faulty)).rejects.toThrow('1 organization')
  expect((await show(deletion.id)).state).toBe('done')
  expect((await show(other.id)).state).toBe('done')
  isBroken = false
  removals = 0
  await Promise.all([projectRemovals(faulty), projectRemovals(faulty)])
  await projectRemovals(faulty)
  expect(removals).toBe(1)
})

test('a run that a projector read before its deletion, or that is imported again during it, has the rows that it should', async () => {
  const { db, analytics } = platform.services
  const organizationId = platform.organization.id
  const [gone, again] = [await addImported('imported'), await addImported('imported')]
  await projectRuns(platform.services, organizationId)
  const [run] = await db.select().from(runs).where(eq(runs.id, again))
  const [request] = await db
    .select()
    .from(runRequests)
    .where(eq(runRequests.id, run?.requestId ?? ''))
  if (!run || !request) throw new Error('There is no such run')
  const { id } = await propose({ kind: 'delete', runUuids: [gone, again] })
  expect((await start(id, { confirmation: 'delete 2' })).status).toBe(200)
  // The projector has read the runs, and inserts them after their deletion.
  const hold = Promise.withResolvers<void>()
  await enqueueRuns(db, organizationId, [gone, again])
  const read = Promise.withResolvers<void>()
  const slow = {
    ...analytics,
    async insert(...rows: Parameters<typeof analytics.insert>) {
      read.resolve()
      await hold.promise
      return analytics.insert(...rows)
    },
  }
  const projecting = projectRuns({ ...platform.services, analytics: slow }, organizationId)
  await read.promise
  await work()
  const removing = projectRemovals({ ...platform.services, analytics: slow })
  hold.resolve()
  await Promise.all([projecting, removing])
  const imports = {
    ...analytics,
    async remove(...removed: Parameters<typeof analytics.remove>) {
      await db.insert(runRequests).values(request)
      await db.insert(runs).values(run)
      await analytics.remove(...removed)
    },
  }
  await projectRemovals({ ...platform.services, analytics: imports })
  await projectRuns(platform.services, organizationId)
  const found = await analytics.query(organizationId, `select run_id from runs where run_id in ('${gone}', '${again}')`)
  expect(found).toEqual([{ run_id: again }])
})

test('a deletion does not wait for the blob store, and the next cleanup deletes its blobs', async () => {
  const { services } = platform
  const runId = await addImported('imported')
  const blobKey = `transcripts/${runId}/1-1.jsonl`
  await services.blobs.put(blobKey, Buffer.from('turn'))
  await services.db.insert(transcriptSegments).values({
    runId,
    attempt: 1,
    firstSeq: 1,
    lastSeq: 1,
    turnCount: 1,
    reasoningTurnCount: 0,
    blobKey,
  })
  const { id } = await propose({ kind: 'delete', runUuids: [runId] })
  await start(id, { confirmation: 'delete 1' })
  const stuck = { ...services.blobs, delete: () => new Promise<never>(() => {}) }
  while (await performBatch({ ...services, blobs: stuck }));
  expect((await show(id)).state).toBe('done')
  expect(await services.blobs.has(blobKey)).toBe(true)
  await sweepRetention(services)
  expect(await services.blobs.has(blobKey)).toBe(false)
})

test('a run that was charged is not imported, as the demo’s earlier days', async () => {
  const { db } = platform.services
  const runId = await addImported('imported')
  const of = { runId, organizationId: platform.organization.id }
  const cost = { modelMicros: 1n, infrastructureMicros: 1n, byokMicros: 0n }
  await db.insert(runUsage).values({ ...of, ...cost, experimentId: 'imported', userId: person, endedAt: ended.endedAt })
  expect(await propose({ kind: 'delete', runUuids: [runId] })).toMatchObject({
    touched: 0,
    leftOut: [{ reason: 'not imported', runs: 1 }],
  })
})
