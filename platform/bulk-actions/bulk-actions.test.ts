import { randomUUID } from 'node:crypto'

import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { BulkAction } from '#contract/bulk-actions.ts'
import { bulkActionRuns, bulkActions } from '#platform/database/tables/bulk-actions.ts'
import { labels } from '#platform/database/tables/labels.ts'
import { memberships } from '#platform/database/tables/identity.ts'
import { runRequests, runs, runStatusChanges } from '#platform/database/tables/runs.ts'
import { createOrganization } from '#platform/identity/create-organization.ts'
import { projectRuns } from '#platform/projection/project-runs.ts'
import { twoByTwo } from '#platform/testing/definitions.ts'
import { addFinishedRun, addVersion } from '#platform/testing/finished-runs.ts'
import { openTestPlatform, type TestPlatform } from '#platform/testing/test-platform.ts'
import { performBatch } from './perform-batch.ts'
import { deleteOldActions } from './start-worker.ts'

let platform: TestPlatform
let member: string
let person: string
beforeAll(async () => {
  platform = await openTestPlatform()
  member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
  person = (await platform.request('GET', '/whoami')).json.actor.id
})
afterAll(() => platform.close())

type Body = Record<string, unknown>

const post = (path: string, body: Body = {}, key = platform.admin) => platform.request('POST', path, { key, body })

/** The experiment gets a name of its own, so that each test has its own runs. */
async function submit(experiment: string, body: Body = { mock: true }) {
  await platform.request('POST', '/experiments', { yaml: twoByTwo(experiment) })
  const { status, json } = await post(`/experiments/${experiment}/runs`, body)
  expect(status, JSON.stringify(json)).toBe(202)
  return String(json.runRequestId)
}

async function propose(body: Body, query = '', key = platform.admin): Promise<BulkAction> {
  const { status, json } = await post(`/bulk-actions${query}`, body, key)
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}

const start = (id: string, body: Body = {}, key = platform.admin) => post(`/bulk-actions/${id}/start`, body, key)
const show = async (id: string): Promise<BulkAction> => (await platform.request('GET', `/bulk-actions/${id}`)).json

async function work() {
  while (await performBatch(platform.services));
}

async function doAll(body: Body, query = '', confirmation?: string) {
  const { id } = await propose(body, query)
  const started = await start(id, { confirmation })
  expect(started.status, JSON.stringify(started.json)).toBe(200)
  await work()
  return show(id)
}

const runsOf = (requestId: string) =>
  platform.services.db.select().from(runs).where(eq(runs.requestId, requestId)).orderBy(runs.variantId, runs.repeat)

const idsOf = async (requestId: string) => (await runsOf(requestId)).map(({ id }) => id)

const setRuns = (ids: readonly string[], change: Partial<typeof runs.$inferInsert>) =>
  platform.services.db
    .update(runs)
    .set(change)
    .where(inArray(runs.id, [...ids]))

const ended = { status: 'completed', endedAt: '2026-11-20T10:00:00.000000Z' } as const
const solved = { ...ended, testsPassed: 1 }
const failed = { ...ended, testsFailed: 1 }

/** An ended run that was never queued here. */
async function addImported(experimentId: string, organizationId = platform.organization.id) {
  const facts = { organizationId, experimentId, triggeredBy: person, outcomes: { suite: 'passed' as const } }
  const id = await addFinishedRun(platform.services.db, facts)
  const at = '2026-11-20T10:00:00.000000Z'
  await platform.services.db.insert(runStatusChanges).values({ runId: id, seq: 1, status: 'running', attempt: 1, at })
  return id
}

test('a proposal says what it touches, touches nothing, and is only for the person who made it', async () => {
  const requestId = await submit('proposed', { mock: true, repeat: 2 })
  const [first = '', second = '', third = ''] = await idsOf(requestId)
  await setRuns([first], solved)
  await setRuns([second], { status: 'running' })
  await setRuns([third], { status: 'running', cancelRequestedAt: ended.endedAt })
  const action = await propose({ kind: 'cancel' }, '?experiment_id=proposed')
  expect(action).toMatchObject({
    kind: 'cancel',
    state: 'proposed',
    selected: 8,
    touched: 6,
    statusCounts: { queued: 5, running: 1 },
    leftOut: [
      { reason: 'already ended', runs: 1 },
      { reason: 'already being canceled', runs: 1 },
    ],
    progress: { pending: 6, done: 0, skipped: 0, failed: 0 },
  })
  await work()
  expect((await runsOf(requestId)).filter(({ status }) => status === 'queued')).toHaveLength(5)
  expect((await platform.request('GET', `/bulk-actions/${action.id}`, { key: member })).status).toBe(404)
  expect((await start(action.id, {}, member)).status).toBe(404)
  expect((await post(`/bulk-actions/${action.id}/stop`, {}, member)).status).toBe(404)
  expect((await platform.request('GET', '/bulk-actions')).json.actions).toEqual([])
})

test('cancel touches the runs of its proposal only, and skips those that ended meanwhile', async () => {
  const requestId = await submit('canceled')
  const { id } = await propose({ kind: 'cancel' }, '?experiment_id=canceled')
  const [finished = ''] = await idsOf(requestId)
  await setRuns([finished], solved)
  const later = await submit('canceled')
  expect((await start(id)).json).toMatchObject({ state: 'running' })
  await work()
  expect(await show(id)).toMatchObject({
    state: 'done',
    progress: { pending: 0, done: 3, skipped: 1, failed: 0 },
    problems: [{ state: 'skipped', reason: 'had ended, or was being canceled', runs: 1 }],
  })
  expect((await runsOf(requestId)).map(({ status }) => status).toSorted()).toEqual([
    'canceled',
    'canceled',
    'canceled',
    'completed',
  ])
  expect((await runsOf(later)).every(({ status }) => status === 'queued')).toBe(true)
  expect((await start(id)).json).toMatchObject({ state: 'done' })
})

test('two actions on the same runs touch each run once', async () => {
  await submit('twice')
  const [one, two] = [
    await propose({ kind: 'cancel' }, '?experiment_id=twice'),
    await propose({ kind: 'cancel' }, '?experiment_id=twice', member),
  ]
  await Promise.all([start(one.id), start(one.id), start(two.id, {}, member)])
  await Promise.all([work(), work()])
  await work()
  const [a, b] = [await show(one.id), await show(two.id)]
  expect([a.state, b.state]).toEqual(['done', 'done'])
  expect([a.progress.done + b.progress.done, a.progress.skipped + b.progress.skipped]).toEqual([4, 4])
})

test('runs of another organization are not found, whatever ids are sent', async () => {
  const other = await createOrganization(platform.services, { slug: 'other-bulk' })
  await addVersion(platform.services.db, { organizationId: other.id, experimentId: 'theirs', ordinal: 1 })
  const theirs = await addImported('theirs', other.id)
  const requestId = await submit('ours')
  const [own = ''] = await idsOf(requestId)
  for (const kind of ['cancel', 'rerun', 'tag', 'delete', 'export']) {
    const body = { kind, runUuids: [theirs, own, randomUUID()], ...(kind === 'tag' && { newTag: 'x' }) }
    const action = await propose(body)
    expect(action.leftOut).toContainEqual({ reason: 'not found', runs: 2 })
    expect(action.touched).toBe(['rerun', 'delete'].includes(kind) ? 0 : 1)
    expect(JSON.stringify(action)).not.toContain(theirs)
  }
  const key = await platform.newKey({ organizations: ['other-bulk'] })
  const { id } = await propose({ kind: 'cancel' }, '?experiment_id=ours')
  expect((await start(id, {}, key)).status).toBe(404)
  const list = await platform.request('GET', `/runs?bulk_action=${id}`, { key })
  expect(list.json.runs).toEqual([])
  expect((await platform.request('GET', `/runs?bulk_action=${id}`)).json.runs).toHaveLength(4)
  expect((await platform.request('GET', '/runs?bulk_action=nothing')).json.runs).toEqual([])
})

test('runs again keep version, variant, flags and budget, as one request for each', async () => {
  const requestId = await submit('again', { mock: true, repeat: 2 })
  const all = await runsOf(requestId)
  await setRuns(
    all.slice(0, 3).map(({ id }) => id),
    solved,
  )
  await platform.request('POST', '/experiments', { yaml: `${twoByTwo('again')}\ndescription: newer\n` })
  const before = await platform.services.db.$count(runRequests)
  const done = await doAll({ kind: 'rerun' }, '?experiment_id=again')
  expect(done).toMatchObject({
    state: 'done',
    touched: 3,
    olderVersions: 3,
    cost: { currency: 'USD', heldMicros: '0' },
    leftOut: [{ reason: 'not ended yet', runs: 5 }],
    progress: { done: 3 },
  })
  expect(await platform.services.db.$count(runRequests)).toBe(before + 1)
  const again = await runsOf(done.runRequestIds[0] ?? '')
  const facts = ({ variantId, fingerprint, mock }: (typeof all)[number]) => ({ variantId, fingerprint, mock })
  expect(again.map(facts)).toEqual(all.slice(0, 3).map(facts))
  expect(again.map(({ repeat }) => repeat)).toEqual([1, 2, 1])
  expect(again.every(({ status }) => status === 'queued')).toBe(true)
})

test('what failed is what was not solved, what errored, or both', async () => {
  const requestId = await submit('choices', { mock: true, repeat: 2 })
  const [a = '', b = '', c = '', d = '', e = ''] = await idsOf(requestId)
  await setRuns([a], solved)
  await setRuns([b], failed)
  await setRuns([c], { ...failed, status: 'errored' })
  await setRuns([d], { ...ended, status: 'errored', infrastructureCause: 'worker_lost' })
  await setRuns([e], { ...ended, status: 'canceled' })
  const touched = async (choice: string) =>
    (await propose({ kind: 'rerun', choice }, '?experiment_id=choices&status=completed,errored,canceled')).touched
  expect(await Promise.all(['all', 'failed', 'unsolved', 'errored'].map(touched))).toEqual([5, 3, 2, 2])
  const { leftOut } = await propose(
    { kind: 'rerun', choice: 'failed' },
    '?experiment_id=choices&status=completed,errored,canceled',
  )
  expect(leftOut).toEqual([
    { reason: 'solved', runs: 1 },
    { reason: 'canceled', runs: 1 },
  ])
})

test('real runs again hold their credit, and are refused without enough of it', async () => {
  const requestId = await submit('priced', { mock: false, repeat: 1 })
  const ids = await idsOf(requestId)
  await setRuns(ids, solved)
  const action = await propose({ kind: 'rerun' }, '?experiment_id=priced')
  expect(Number(action.cost?.heldMicros)).toBeGreaterThan(0)
  expect(Number(action.cost?.availableMicros)).toBeGreaterThan(0)
  const byMember = await propose({ kind: 'rerun' }, '?experiment_id=priced', member)
  expect(byMember.cost?.availableMicros).toBeUndefined()
  const needed = BigInt(action.cost?.availableMicros ?? 0) + 1n
  await platform.services.db
    .update(bulkActions)
    .set({ plan: { selected: 4, statusCounts: {}, leftOut: [], heldMicros: String(needed) } })
    .where(eq(bulkActions.id, byMember.id))
  const refused = await start(byMember.id, {}, member)
  expect([refused.status, refused.json.error]).toEqual([429, 'resource_exhausted'])
  expect(refused.json.message).toContain('may cost')
  expect((await show(action.id)).state).toBe('proposed')
  await start(action.id)
  await work()
  expect(await show(action.id)).toMatchObject({ state: 'done', progress: { done: 4 } })
})

test('a tag is put once on each run, in one spelling, and runs with it are left out', async () => {
  await submit('tagged')
  const done = await doAll({ kind: 'tag', newTag: '  Wrong  API' }, '?experiment_id=tagged')
  expect(done).toMatchObject({ newTag: 'wrong api', progress: { done: 4 } })
  expect((await platform.request('GET', '/runs?experiment_id=tagged&tag=wrong%20api')).json.runs).toHaveLength(4)
  expect(await propose({ kind: 'tag', newTag: 'wrong api' }, '?experiment_id=tagged')).toMatchObject({
    touched: 0,
    leftOut: [{ reason: 'already tagged “wrong api” by you', runs: 4 }],
  })
  for (const newTag of ['', 'a,b', 'x'.repeat(41), undefined]) {
    const { status, json } = await post('/bulk-actions', { kind: 'tag', newTag })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  }
})

test('only imported runs are deleted, by admins who type it, with their analytics rows and an audit event', async () => {
  const { db, analytics } = platform.services
  await addVersion(db, { organizationId: platform.organization.id, experimentId: 'imported', ordinal: 1 })
  const imported = [await addImported('imported'), await addImported('imported')]
  const requestId = await submit('not-imported')
  const [own = ''] = await idsOf(requestId)
  await setRuns([own], solved)
  await projectRuns(platform.services, platform.organization.id)
  const rowsOf = async () => {
    const sql = "select count() as n from runs where experiment_id = 'imported'"
    return Number((await analytics.query(platform.organization.id, sql))[0]?.['n'])
  }
  expect(await rowsOf()).toBe(2)
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
  expect(await rowsOf()).toBe(0)
  const poll = await platform.request('GET', `/runs?experiment_id=imported&changed_since=${version}`)
  expect(poll.json).toMatchObject({ runs: [] })
  expect(poll.json.changes).toBeUndefined()
  const { events } = (await platform.request('GET', '/admin/v1/audit-events?event=run.delete')).json
  expect(events).toMatchObject([{ subject: id, details: { importedRuns: 2 } }])
})

test('an action that is killed in the middle goes on, and touches each run once', async () => {
  const { services } = platform
  for (let request = 0; request < 3; request += 1) await submit('killed')
  const { id } = await propose({ kind: 'cancel' }, '?experiment_id=killed')
  await start(id)
  await performBatch(services)
  expect((await show(id)).progress).toMatchObject({ done: 4, pending: 8 })
  // The batch is done but not committed.
  const dying = {
    ...services,
    db: new Proxy(services.db, {
      get: (db, name) =>
        name === 'transaction'
          ? (act: (tx: never) => Promise<unknown>) =>
              db.transaction(async (tx) => {
                await act(tx as never)
                throw new Error('killed')
              })
          : Reflect.get(db, name),
    }),
  }
  await expect(performBatch(dying as typeof services)).rejects.toThrow('killed')
  expect((await show(id)).progress).toMatchObject({ done: 4, pending: 8 })
  await work()
  expect(await show(id)).toMatchObject({ state: 'done', progress: { done: 12, pending: 0, skipped: 0 } })
})

test('a batch that fails again and again ends the action, which can be started again', async () => {
  const { services } = platform
  const requestId = await submit('faulty')
  const { id } = await propose({ kind: 'tag', newTag: 'seen' }, '?experiment_id=faulty')
  await start(id)
  const faulty = {
    ...services,
    wakeProjector: () => {
      throw new Error('the disk is full')
    },
  }
  for (let attempt = 0; attempt < 5; attempt += 1)
    await expect(performBatch(faulty)).rejects.toThrow('the disk is full')
  expect(await show(id)).toMatchObject({ state: 'failed', stateReason: expect.stringContaining('its log says why') })
  const ids = await idsOf(requestId)
  expect(await services.db.$count(labels, inArray(labels.runId, ids))).toBe(0)
  await start(id)
  await work()
  expect(await show(id)).toMatchObject({ state: 'done', progress: { done: 4 } })
})

test('a stopped action keeps what it did and does the rest once it is started again', async () => {
  await submit('stopped')
  await submit('stopped')
  const { id } = await propose({ kind: 'cancel' }, '?experiment_id=stopped')
  await start(id)
  await performBatch(platform.services)
  const byMember = await post(`/bulk-actions/${id}/stop`, {}, member)
  expect([byMember.status, byMember.json.error]).toEqual([403, 'permission_denied'])
  expect((await post(`/bulk-actions/${id}/stop`)).json).toMatchObject({ state: 'stopped', progress: { done: 4 } })
  await work()
  expect((await show(id)).progress).toMatchObject({ done: 4, pending: 4 })
  expect((await start(id)).json).toMatchObject({ state: 'running' })
  await work()
  expect(await show(id)).toMatchObject({ state: 'done', progress: { done: 8 } })
})

test('the actions of a person who is no longer a member stop', async () => {
  const requestId = await submit('left')
  const key = await platform.newKey({ role: 'member', email: 'leaver@lab.example' })
  const { id } = await propose({ kind: 'cancel' }, '?experiment_id=left', key)
  await start(id, {}, key)
  const [{ createdBy } = { createdBy: '' }] = await platform.services.db
    .select()
    .from(bulkActions)
    .where(eq(bulkActions.id, id))
  await platform.services.db
    .delete(memberships)
    .where(and(eq(memberships.userId, createdBy), eq(memberships.organizationId, platform.organization.id)))
  await work()
  expect(await show(id)).toMatchObject({ state: 'stopped', stateReason: expect.stringContaining('no longer a member') })
  expect((await runsOf(requestId)).every(({ status }) => status === 'queued')).toBe(true)
})

test('a selection can be exported, but not started', async () => {
  const requestId = await submit('exported')
  const [first = '', second = ''] = await idsOf(requestId)
  const { id } = await propose({ kind: 'export', runUuids: [first, second] })
  const { text } = await platform.request('GET', `/runs/export?bulk_action=${id}`)
  expect(text.trim().split('\n')).toHaveLength(3)
  expect((await start(id)).status).toBe(412)
})

test('a person has at most five proposals, and old ones are deleted', async () => {
  const { db } = platform.services
  const key = await platform.newKey({ email: 'planner@lab.example' })
  const ids: string[] = []
  for (let made = 0; made < 6; made += 1)
    ids.push((await propose({ kind: 'export' }, '?experiment_id=exported', key)).id)
  expect((await platform.request('GET', `/bulk-actions/${ids[0]}`, { key })).status).toBe(404)
  expect((await platform.request('GET', `/bulk-actions/${ids[1]}`, { key })).status).toBe(200)
  await db.update(bulkActions).set({ createdAt: '2020-01-01T00:00:00.000000Z' }).where(inArray(bulkActions.id, ids))
  while (await deleteOldActions(platform.services));
  expect(await db.$count(bulkActionRuns, inArray(bulkActionRuns.actionId, ids))).toBe(0)
})
