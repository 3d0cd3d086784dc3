import { randomUUID } from 'node:crypto'

import { eq, inArray, type SQL } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import type { Database } from '#platform/ground/database/open-database.ts'
import { bulkActionRuns, bulkActions } from '#platform/ground/database/tables/bulk-actions.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { removeMember } from '#platform/people/identity/remove-member.ts'
import { setMember } from '#platform/people/identity/set-member.ts'
import { ended, openBulkActions, solved } from '#platform/program/testing/bulk-actions.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { performBatch } from './perform-batch.ts'
import { deleteOldActions } from './start-worker.ts'
import { deleteOldProposals } from './store.ts'

const {
  platform,
  member,
  person,
  post,
  submit,
  propose,
  start,
  show,
  work,
  doAll,
  runsOf,
  idsOf,
  setRuns,
  addImported,
} = await openBulkActions()
afterAll(() => platform.close())

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
    // In the order of their prompts, which is one of chance.
    leftOut: expect.arrayContaining([
      { reason: 'already ended', runs: 1 },
      { reason: 'already being canceled', runs: 1 },
    ]),
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

test('an action that is killed halfway continues, and changes each run once', async () => {
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

test.each([
  ['is no longer a member', null, 'no longer a member'],
  ['became a viewer', 'viewer' as const, 'Viewers can read and comment'],
])('the actions of a person who %s stop', async (_, role, reason) => {
  const name = role ?? 'leaver'
  const requestId = await submit(name)
  const key = await platform.newKey({ role: 'member', email: `${name}@lab.example` })
  const { id } = await propose({ kind: 'cancel' }, `?experiment_id=${name}`, key)
  await start(id, {}, key)
  const membership = { org: 'lab', email: `${name}@lab.example` }
  if (role) await setMember(platform.services, { ...membership, role })
  else await removeMember(platform.services, membership)
  await work()
  expect(await show(id)).toMatchObject({ state: 'stopped', stateReason: expect.stringContaining(reason) })
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

test('a proposal that is started while old ones are deleted stays', async () => {
  const { db } = platform.services
  await submit('started-late')
  const { id } = await propose({ kind: 'cancel' }, '?experiment_id=started-late')
  await db.update(bulkActions).set({ createdAt: '2020-01-01T00:00:00.000000Z' }).where(eq(bulkActions.id, id))
  await deleteOldActions({ db: beforeDelete(db, () => start(id)) })
  expect((await show(id)).state).toBe('running')
  await work()
})

test('a proposal that is started while its person makes more stays', async () => {
  const { db } = platform.services
  await submit('started-beside')
  const { id } = await propose({ kind: 'cancel' }, '?experiment_id=started-beside')
  const owner = { organizationId: platform.organization.id, createdBy: person }
  await deleteOldProposals(
    beforeDelete(db, () => start(id)),
    owner,
    0,
  )
  expect((await show(id)).state).toBe('running')
  await work()
})

test('an organization with many actions takes turns with the others', async () => {
  await createOrganization(platform.services, { slug: 'turns' })
  const key = await platform.newKey({ email: 'boss@turns.example', organizations: ['turns'] })
  for (let count = 0; count < 4; count += 1) {
    await submit(`of-many-${count}`)
    const { id } = await propose({ kind: 'cancel' }, `?experiment_id=of-many-${count}`)
    await start(id)
  }
  await platform.request('POST', '/experiments', { key, yaml: twoByTwo('of-one') })
  await post('/experiments/of-one/runs', { mock: true }, key)
  const { id } = await propose({ kind: 'cancel' }, '', key)
  await start(id, {}, key)
  for (let batch = 0; batch < 2; batch += 1) await performBatch(platform.services)
  const { json } = await platform.request('GET', `/bulk-actions/${id}`, { key })
  expect(json.progress).toMatchObject({ pending: 0, done: 4 })
  await work()
})

/** The database, where `act` happens between the search for actions and their deletion. */
const beforeDelete = (db: Database, act: () => Promise<unknown>): Database =>
  new Proxy(db, {
    get: (target, name) =>
      name === 'delete'
        ? (table: typeof bulkActions) => ({
            where: async (condition: SQL) => {
              await act()
              await target.delete(table).where(condition)
            },
          })
        : Reflect.get(target, name),
  })
