import { randomUUID } from 'node:crypto'

import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { keepEverything, type RetentionRules } from '#contract/retention.ts'
import { changesKeys, recordChanges } from '#platform/queue/changes/record-changes.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'
import { removedBlobs, retentionPolicies, runRemovals } from '#platform/ground/database/tables/retention.ts'
import { runRequests, runs, transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import { schedules, scheduleStarts } from '#platform/ground/database/tables/schedules.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { deleteRequests } from '#platform/queue/run-queue/delete-requests.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { reindex } from '#platform/analysis/projection/reindex.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { addPrintedRun, type PrintedRunFacts } from '#platform/program/testing/printed-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { lockRemovable } from './old-runs-store.ts'
import { endGrace } from './store.ts'
import { sweepRetention } from './sweep-retention.ts'
import { sweepBatch } from './sweep-organization.ts'

const dayMs = 86_400_000
const path = '/admin/v1/retention'

let member: string
let organizationId: string
let triggeredBy: string
const platform = await openTestPlatform()
beforeAll(async () => {
  organizationId = platform.organization.id
  member = await platform.newKey({ role: 'member' })
  triggeredBy = (await platform.request('GET', '/whoami')).json.actor.id
  for (const experimentId of ['old', 'treasured'])
    await addVersion(platform.services.db, { organizationId, experimentId, ordinal: 1 })
})
beforeEach(async () => {
  const { db, analytics } = platform.services
  const requests = await db.select({ id: runRequests.id }).from(runRequests)
  await deleteRequests(
    db,
    requests.map(({ id }) => id),
  )
  await analytics.clear(organizationId)
  for (const table of [retentionPolicies, runRemovals, publications]) await db.delete(table)
})
afterAll(() => platform.close())

const read = async (key = platform.admin) => (await platform.request('GET', path, { key })).json
async function put(rules: Partial<RetentionRules>, key = platform.admin, expectedUpdatedAt?: string | null) {
  const expected = expectedUpdatedAt === undefined ? (await read()).updatedAt : expectedUpdatedAt
  const body = { ...keepEverything, ...rules, expectedUpdatedAt: expected }
  return platform.request('PUT', path, { key, body })
}
const preview = async (rules: Partial<RetentionRules>) =>
  (await platform.request('POST', `${path}/preview`, { body: { ...keepEverything, ...rules } })).json
const lossOf = async (kind: string, rules: Partial<RetentionRules>) =>
  (await preview(rules)).losses.find((loss: { kind: string }) => loss.kind === kind)

/** Saves rules, as if their grace were over, and removes what they name. */
async function sweepAfter(rules: Partial<RetentionRules>) {
  await put(rules)
  await endGrace(platform.services.db, organizationId)
  await sweepRetention(platform.services)
  await projectRuns(platform.services, organizationId)
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().replace('Z', '000Z')

async function addRun(days: number, facts: Partial<PrintedRunFacts> = {}) {
  const at = daysAgo(days)
  const id = await addPrintedRun(platform.services, {
    organizationId,
    experimentId: 'old',
    triggeredBy,
    outcomes: { works: 'failed' },
    printed: { works: { stdoutTail: 'AssertionError: expected 4 to be 5' } },
    turns: [
      { text: 'a secret plan' },
      { kind: 'tool_result', role: 'tool', failed: true, text: 'Error: no such file' },
    ],
    createdAt: at,
    endedAt: at,
    statusUpdatedAt: at,
    ...facts,
  })
  await projectRuns(platform.services, organizationId)
  return id
}

/** Publishes an insight with this provenance. */
async function publish(of: { experimentId: string | null; runId: string | null }) {
  const body = { heading: 'Solved', sql: 'select 1 as n', slug: `s-${randomUUID()}` }
  const { json } = await platform.request('POST', '/insights', { body })
  const shared = { organizationId, heading: 'Solved', sql: '', includeTestAware: false, publishedBy: triggeredBy }
  const ids = { id: randomUUID(), insightId: json.insight.id, tokenHash: randomUUID(), keyId: 'k' }
  const at = { provenance: 'none' as const, publishedAt: daysAgo(0) }
  await platform.services.db.insert(publications).values({ ...shared, ...ids, ...at, ...of })
}

const readRun = (id: string, query = '') => platform.request('GET', `/runs/${encodeURIComponent(id)}${query}`)
const countRows = async (table: string) => {
  const sql = `select count() as n from ${table}`
  const [row] = await platform.services.analytics.query(organizationId, `${sql} final`)
  return Number(row?.['n'])
}

test('an organization keeps everything until an admin says otherwise, and members see the rules but cannot set them', async () => {
  expect(await read(member)).toEqual({ ...keepEverything, updatedAt: null, removesFrom: null, lastSweep: null })
  expect(await put({ runs: 90 }, member)).toMatchObject({ status: 403, json: { error: 'permission_denied' } })
  const refused = await platform.request('POST', `${path}/preview`, { key: member, body: keepEverything })
  expect(refused.status).toBe(403)
})

test.each([
  [{ runs: 6 }, 'runs'],
  [{ transcripts: 0 }, 'transcripts'],
  [{ notifications: 366 }, 'notifications'],
  [{ deliveries: 31 }, 'deliveries'],
  [{ keptExperiments: [''] }, 'keptExperiments.0'],
  [{ keptExperiments: ['old', 'odl'] }, 'keptExperiments.1'],
])('400 invalid_argument for the rules %j, which change nothing', async (rules, field) => {
  const { status, json } = await put(rules)
  expect([status, json.issues?.[0]?.path]).toEqual([400, field])
  expect(await read()).toMatchObject(keepEverything)
})

test('of two admins who change the rules at once, the second gets a conflict and nothing is lost', async () => {
  const first = await Promise.all([put({ runs: 90 }, platform.admin, null), put({ outputs: 30 }, platform.admin, null)])
  expect(first.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const stored = await read()
  expect(await put({ runs: 7 }, platform.admin, null)).toMatchObject({ status: 409 })
  expect(await read()).toEqual(stored)
})

test('rules that remove more wait for a day, and rules that keep more do not', async () => {
  const id = await addRun(40)
  const { json } = await put({ transcripts: 30 })
  expect(Date.parse(json.removesFrom) - Date.parse(json.updatedAt)).toBe(dayMs)
  await sweepRetention(platform.services)
  expect((await readRun(id, '?transcript=true')).json.transcriptStatus).toBe('available')
  const looser = await put({ transcripts: 60 })
  expect(looser.json.removesFrom).toBe(json.removesFrom)
  const shorter = await put({ transcripts: 59 })
  expect(shorter.json.removesFrom > json.removesFrom).toBe(true)
})

test('removing transcripts says so, and the turns and the words that failures quote of them are gone', async () => {
  const old = await addRun(40)
  const young = await addRun(10)
  expect(await lossOf('transcripts', { transcripts: 30 })).toMatchObject({ count: 1, isEstimate: false })
  const [turns, spans] = [await countRows('turns'), await countRows('spans')]
  await sweepAfter({ transcripts: 30 })
  const { json } = await readRun(old, '?transcript=true')
  expect(json).toMatchObject({
    transcriptStatus: 'unavailable',
    run: { removals: [{ kind: 'transcripts', keptDays: 30, at: expect.any(String) }] },
  })
  expect((await readRun(young, '?transcript=true')).json).toMatchObject({ transcriptStatus: 'available' })
  expect((await readRun(young)).json.run.removals).toBeUndefined()
  expect(await countRows('turns')).toBe(turns - 2)
  expect([spans, await countRows('spans')]).toEqual([2, 1])
  const [found] = await platform.services.analytics.query(
    organizationId,
    `select groupArray(kind) as kinds from failures final where id = '${old}'`,
  )
  expect(found?.['kinds']).toEqual(['message'])
  expect(await lossOf('transcripts', { transcripts: 30 })).toMatchObject({ count: 0 })
})

test('removing outputs leaves the outcomes of the tests', async () => {
  const id = await addRun(40)
  expect(await lossOf('outputs', { outputs: 30 })).toMatchObject({ count: 1, bytes: 34, isEstimate: false })
  await sweepAfter({ outputs: 30 })
  const { json } = await platform.request('GET', `/runs/${encodeURIComponent(id)}/tests`)
  expect(json.tests).toMatchObject([{ outcome: 'failed', stdoutTail: '' }])
  expect((await readRun(id)).json.run.removals).toMatchObject([{ kind: 'outputs', keptDays: 30 }])
  expect(await countRows('outputs')).toBe(0)
  const rows = await platform.services.analytics.query(organizationId, 'select example from failures final')
  expect(JSON.stringify(rows)).not.toContain('expected 4')
})

test('a removed run answers 404 with the reason, and its request too', async () => {
  const id = await addRun(40)
  const { runRequestId } = (await readRun(id)).json.run
  const young = await addRun(8)
  const blobs = await platform.services.db.select().from(transcriptSegments)
  await sweepAfter({ runs: 30 })
  const { status, json } = await readRun(id)
  expect([status, json.error]).toEqual([404, 'not_found'])
  expect(json.message).toMatch(
    /^Run ".*" no longer exists\. Removed on .* 20\d\d by the organization’s retention: runs are kept for 30 days$/,
  )
  expect((await readRun(runRequestId)).json.message).toContain('no longer exists. Removed on')
  expect((await readRun('nobody::123')).json.message).toContain('does not exist')
  expect((await readRun(young)).status).toBe(200)
  for (const table of ['runs', 'tests', 'labels', 'turns', 'spans'])
    expect(
      await platform.services.analytics.query(organizationId, `select 1 from ${table} where id = '${id}'`),
    ).toEqual([])
  const kept = await platform.services.db.select().from(transcriptSegments)
  const gone = blobs.filter(({ blobKey }) => !kept.some((each) => each.blobKey === blobKey))
  expect(gone).toHaveLength(1)
  for (const { blobKey } of gone) expect(await platform.services.blobs.has(blobKey)).toBe(false)
  for (const { blobKey } of kept) expect(await platform.services.blobs.has(blobKey)).toBe(true)
  const other = await openTestPlatform()
  expect((await other.request('GET', `/runs/${encodeURIComponent(id)}`)).json.message).toContain('does not exist')
  await other.close()
})

test('runs are kept by a tag, by their experiment, by a published insight and by a label, and never while they run', async () => {
  const { db } = platform.services
  const expected = {
    tagged: await addRun(40, { tags: ['keep'] }),
    inExperiment: await addRun(40, { experimentId: 'treasured' }),
    published: await addRun(40),
    labeled: await addRun(40),
    going: await addRun(40, { status: 'running', endedAt: null }),
  }
  await platform.request('POST', `/runs/${encodeURIComponent(expected.labeled)}/labels`, {
    body: { kind: 'note', text: 'Look at this' },
  })
  await publish({ experimentId: 'old', runId: expected.published })
  const rules = { runs: 30, keptExperiments: ['treasured'] }
  expect((await preview(rules)).keptRuns).toEqual({ byExperiment: 1, byTag: 1, byPublishedInsight: 1 })
  await sweepAfter(rules)
  for (const [why, id] of Object.entries(expected)) expect([why, (await readRun(id)).status]).toEqual([why, 200])
  await sweepAfter({ transcripts: 30, keptExperiments: ['treasured'] })
  const removed = async (id: string) => (await readRun(id)).json.run.removals?.length ?? 0
  expect(await Promise.all(Object.values(expected).map(removed))).toEqual([0, 0, 0, 1, 0])
  await db.delete(publications)
  expect(await lossOf('runs', { runs: 30, keptExperiments: [] })).toMatchObject({ count: 2 })
})

test('the rules of an organization remove nothing of another', async () => {
  const other = await createOrganization(platform.services, { slug: 'neighbour' })
  await addVersion(platform.services.db, { organizationId: other.id, experimentId: 'old', ordinal: 1 })
  const [own, theirs] = [await addRun(40), await addRun(40, { organizationId: other.id })]
  expect(await lossOf('runs', { runs: 30 })).toMatchObject({ count: 1 })
  for (const rules of [{ transcripts: 30 }, { outputs: 30 }, { changes: 30 }, { runs: 30 }]) await sweepAfter(rules)
  const left = await platform.services.db.select({ id: runs.compositeId }).from(runs)
  expect(left.map(({ id }) => id)).toEqual([theirs])
  expect(theirs).not.toBe(own)
  expect(await platform.services.db.select().from(runRemovals).where(eq(runRemovals.organizationId, other.id))).toEqual(
    [],
  )
})

test('while a run of a request is unfinished, the runs of it that have ended stay', async () => {
  const { db } = platform.services
  const waiting = ['queued', 'waiting_for_ci', 'running'] as const
  const ended: string[] = []
  const unfinished: string[] = []
  for (const status of waiting) {
    const [over, going] = [await addRun(40), await addRun(40, { status, endedAt: null })]
    const [{ requestId } = { requestId: '' }] = await db.select().from(runs).where(eq(runs.compositeId, over))
    await db.update(runs).set({ requestId }).where(eq(runs.compositeId, going))
    ended.push(over)
    unfinished.push(going)
  }
  const statuses = (ids: string[]) => Promise.all(ids.map(async (id) => (await readRun(id)).status))
  await sweepAfter({ runs: 30 })
  expect(await statuses(ended)).toEqual([200, 200, 200])
  await db
    .update(runs)
    .set({ status: 'completed', endedAt: daysAgo(0) })
    .where(inArray(runs.compositeId, unfinished))
  await sweepRetention(platform.services)
  expect(await statuses([...ended, ...unfinished])).toEqual([404, 404, 404, 200, 200, 200])
})

test('runs that a schedule started this month stay, so that its monthly limit counts what they cost', async () => {
  const { db } = platform.services
  const id = await addRun(40)
  const { runUuid, runRequestId } = (await readRun(id)).json.run
  await db.update(runs).set({ costUsd: 1.5, mock: false }).where(eq(runs.id, runUuid))
  const scheduleId = randomUUID()
  const schedule = {
    id: scheduleId,
    organizationId,
    experimentId: 'old',
    name: 'Daily',
    trigger: { kind: 'push' as const },
  }
  const now = daysAgo(0)
  await db.insert(schedules).values({
    ...schedule,
    submission: {},
    monthlyBudgetUsd: 2,
    isEnabled: false,
    ownerId: triggeredBy,
    createdAt: now,
    updatedAt: now,
  })
  const start = { id: randomUUID(), scheduleId, cause: 'time' as const, requestId: runRequestId }
  await db.insert(scheduleStarts).values({ ...start, startedAt: sql`clock_timestamp()` })
  const spent = async () => (await platform.request('GET', `/schedules/${scheduleId}`)).json.spentThisMonthUsd
  expect(await spent()).toBe(1.5)
  await sweepAfter({ runs: 30 })
  expect(await spent()).toBe(1.5)
  await db.update(scheduleStarts).set({ startedAt: daysAgo(40) })
  await sweepRetention(platform.services)
  expect((await readRun(id)).status).toBe(404)
})

test('a label that arrives while a sweep looks for old runs keeps its run', async () => {
  const { db } = platform.services
  const { runUuid } = (await readRun(await addRun(40))).json.run
  const old = { organizationId, kind: 'runs' as const, days: 30, rules: { keptExperiments: [] } }
  const label = { id: randomUUID(), organizationId, runId: runUuid, slot: 0, kind: 'note' as const, text: 'Look' }
  const at = { createdAt: daysAgo(0), updatedAt: daysAgo(0) }
  const found = await db.transaction(async (tx) => {
    let selects = 0
    const inserting: Promise<unknown>[] = []
    const labelBefore = (select: number) =>
      select === 3 &&
      inserting.push(
        tx
          .insert(labels)
          .values({ ...label, ...at, createdBy: triggeredBy })
          .execute(),
      )
    const racing = new Proxy(tx, {
      get(target, name) {
        if (name === 'select') labelBefore((selects += 1))
        return Reflect.get(target, name)
      },
    })
    const locked = await lockRemovable(racing, old, { after: undefined, limit: 10 })
    await Promise.all(inserting)
    return locked
  })
  expect(found?.removable).toEqual([])
})

test('a label on a turn keeps the transcript, and one on a test keeps the output', async () => {
  const id = await addRun(40)
  for (const place of [{ turn: 1 }, { testName: 'works' }])
    await platform.request('POST', `/runs/${encodeURIComponent(id)}/labels`, {
      body: { kind: 'note', text: 'Look', ...place },
    })
  await sweepAfter({ transcripts: 30, outputs: 30 })
  expect((await readRun(id)).json.run.removals).toBeUndefined()
})

test('the preview names published insights over all experiments, which keep no run', async () => {
  await publish({ experimentId: null, runId: null })
  await addRun(40)
  const { affectedInsights, losses } = await preview({ runs: 30 })
  expect(affectedInsights).toMatchObject([{ heading: 'Solved' }])
  expect(losses).toMatchObject([{ kind: 'runs', count: 1 }])
  expect((await preview({})).losses).toEqual([])
})

test('a sweep that was killed after any batch continues, and leaves one audit event with its counts', async () => {
  const { db } = platform.services
  for (let index = 0; index < 3; index += 1) await addRun(40)
  await put({ outputs: 30, transcripts: 30 })
  await endGrace(db, organizationId)
  expect(await sweepBatch(platform.services, organizationId, { limit: 2 })).not.toBeNull()
  const waiting = await db.select().from(removedBlobs)
  expect(waiting.length).toBe(2)
  expect(await db.select().from(runRemovals).where(eq(runRemovals.inAnalytics, true))).toHaveLength(2)
  await sweepRetention(platform.services)
  expect(await db.select().from(removedBlobs)).toEqual([])
  expect(await db.select().from(runRemovals).where(eq(runRemovals.inAnalytics, true))).toEqual([])
  expect(await db.select().from(capturedTests).where(eq(capturedTests.stdoutTail, ''))).toHaveLength(3)
  const counted = { transcripts: 3, outputs: 3, changes: 0, runs: 0 }
  expect((await read()).lastSweep.removed).toMatchObject(counted)
  const { json } = await platform.request('GET', '/admin/v1/audit-events?event=retention.sweep')
  expect(json.events[0]).toMatchObject({ actor: { kind: 'platform' }, details: counted })
  const { length } = json.events
  await sweepRetention(platform.services)
  const again = await platform.request('GET', '/admin/v1/audit-events?event=retention.sweep')
  expect(again.json.events).toHaveLength(length)
})

test('a run that is imported again before its removal has ended keeps its transcript and its rows', async () => {
  const { db, analytics } = platform.services
  const facts = { id: randomUUID(), turns: [{ text: 'again' }] }
  await addRun(40, facts)
  await sweepAfter({ transcripts: 30 })
  await put({ runs: 30 })
  await endGrace(db, organizationId)
  expect(await sweepBatch(platform.services, organizationId)).not.toBeNull()
  const id = await addRun(8, facts)
  await sweepRetention(platform.services)
  await projectRuns(platform.services, organizationId)
  expect((await readRun(id, '?transcript=true')).json.transcript.turns).toMatchObject([{ text: 'again' }])
  expect((await readRun(id)).json.run.removals).toBeUndefined()
  for (const table of ['runs', 'tests', 'turns'])
    expect(await analytics.query(organizationId, `select 1 as n from ${table} final`)).toEqual([{ n: 1 }])
})

test('changed files that were removed are refused with the reason', async () => {
  const { db, blobs } = platform.services
  const id = await addRun(40)
  const run = { runId: (await readRun(id)).json.run.runUuid, attempt: 0 }
  const written = { packs: 1 }
  await recordChanges(db, run, written as Parameters<typeof recordChanges>[2])
  for (const key of changesKeys({ ...run, ...written })) await blobs.put(key, Buffer.from('x'))
  expect(await lossOf('changes', { changes: 30 })).toMatchObject({ count: 1, bytes: 2 })
  await sweepAfter({ changes: 30 })
  for (const key of changesKeys({ ...run, ...written })) expect(await blobs.has(key)).toBe(false)
  const path = `/runs/${encodeURIComponent(id)}/changes`
  const reason = expect.stringMatching(/^Removed on .* changed files are kept for 30 days\.$/)
  expect((await platform.request('GET', path)).json).toEqual({ status: 'unavailable', files: [], leftOut: [reason] })
  const refused = await platform.request('GET', `${path}/file?path=a`)
  expect([refused.status, refused.json.message]).toEqual([404, reason])
})

test('two servers that sweep at once remove each run once', async () => {
  for (let index = 0; index < 4; index += 1) await addRun(40)
  await put({ runs: 30 })
  await endGrace(platform.services.db, organizationId)
  await Promise.all([sweepRetention(platform.services), sweepRetention(platform.services)])
  expect((await read()).lastSweep.removed.runs).toBe(4)
})

test('a reindex does not bring back what retention removed', async () => {
  await addRun(40)
  await sweepAfter({ transcripts: 30, outputs: 30 })
  await reindex(platform.services, organizationId)
  expect([await countRows('turns'), await countRows('outputs'), await countRows('runs')]).toEqual([0, 0, 1])
})
