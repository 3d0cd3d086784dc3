import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { countOutboxRows } from './store.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { isOnClickhouse, openTestAnalytics, type TestAnalytics } from '#platform/program/testing/test-analytics.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { projectRuns } from './project-runs.ts'
import { startProjector } from './start-projector.ts'

let platform: TestPlatform
let engine: TestAnalytics
let fingerprint: string
let triggeredBy: string
const compositeIds: string[] = []

beforeAll(async () => {
  const openEngine = async () => (engine = await openTestAnalytics())
  platform = await openTestPlatform({ openEngine })
  for (const experimentId of ['e', 'other'])
    fingerprint = await addVersion(platform.services.db, {
      organizationId: platform.organization.id,
      experimentId,
      ordinal: experimentId === 'e' ? 1 : 2,
    })
  triggeredBy = (await platform.request('GET', '/whoami')).json.actor.id
  await finish('e')
})
beforeEach(async () => {
  await projectRuns(platform.services, platform.organization.id)
})
afterAll(() => platform.close())

async function finish(experimentId: string) {
  const compositeId = `v::${compositeIds.length}`
  const { id: organizationId } = platform.organization
  const run = {
    organizationId,
    experimentId,
    compositeId,
    fingerprint,
    triggeredBy,
    outcomes: { one: 'passed' } as const,
  }
  await addFinishedRun(platform.services.db, run)
  compositeIds.push(compositeId)
  return compositeId
}

const sql = 'SELECT count() FROM runs'
const query = (experimentId = 'e') => platform.request('POST', `/experiments/${experimentId}/query`, { body: { sql } })
const chart = async (experimentId = 'e') => {
  const path = `/insights/${encodeURIComponent(`chart:${experimentId}:metric`)}/execute`
  const { json } = await platform.request('POST', path, { body: { parameters: { version: 'all' } } })
  const { groups } = JSON.parse(json.chartDataJson) as { groups: { runs: number }[] }
  return { runs: groups.reduce((sum, group) => sum + group.runs, 0), pendingRuns: json.pendingRuns }
}

/** Runs the work with a projector that projects when it is woken. */
async function whileProjecting<T>(work: () => Promise<T>) {
  const projector = startProjector(platform.services, { intervalMilliseconds: 50 })
  const { wakeProjector } = platform.services
  platform.services.wakeProjector = () => projector.wake()
  return work().finally(async () => {
    platform.services.wakeProjector = wakeProjector
    await projector.stop()
  })
}

test('a query, a chart and a live insight include every run that ended before the request', async () => {
  const saved = await platform.request('POST', '/insights', { body: { heading: 'All', sql } })
  await whileProjecting(async () => {
    const before = (await query()).json.rows[0][0]
    await finish('e')
    expect((await query()).json).toMatchObject({ rows: [[before + 1]] })
    await finish('e')
    expect(await chart()).toMatchObject({ runs: before + 2, pendingRuns: undefined })
    await finish('e')
    const view = await platform.request('GET', `/insights/${saved.json.insight.id}`)
    expect(view.json.rows).toEqual([[before + 3]])
    const id = await finish('e')
    const ofRun = await platform.request('POST', `/runs/${encodeURIComponent(id)}/query`, { body: { sql } })
    expect(ofRun.json).toMatchObject({ rows: [[1]] })
    expect(ofRun.json).not.toHaveProperty('pendingRuns')
  })
})

test('if the projection does not catch up, the response says how many runs of its scope are missing', async () => {
  const before = (await query()).json.rows[0][0]
  await finish('e')
  await finish('e')
  const id = await finish('other')
  expect((await query()).json).toMatchObject({ rows: [[before]], pendingRuns: 2 })
  expect(await chart()).toEqual({ runs: before, pendingRuns: 2 })
  const saved = await platform.request('POST', '/insights', { body: { heading: 'Whole organization', sql } })
  const view = await platform.request('GET', `/insights/${saved.json.insight.id}`)
  expect(view.json.pendingRuns).toBe(3)
  const ofRun = await platform.request('POST', `/runs/${encodeURIComponent(id)}/query`, { body: { sql } })
  expect(ofRun.json).toMatchObject({ rows: [[0]], pendingRuns: 1 })
  await projectRuns(platform.services, platform.organization.id)
  const after = await query()
  expect(after.json).toMatchObject({ rows: [[before + 2]] })
  expect(after.json).not.toHaveProperty('pendingRuns')
})

test.skipIf(isOnClickhouse)(
  'an engine whose folder is deleted while it runs reports the missing rows and is refilled',
  async () => {
    const { db } = platform.services
    const { id } = platform.organization
    const before = (await query()).json.rows[0][0]
    expect(before).toBeGreaterThan(1)
    rmSync(join(engine.folder, id), { recursive: true })
    expect((await query()).json).toMatchObject({ rows: [[0]], pendingRuns: before })
    await whileProjecting(() => expect.poll(() => countOutboxRows(db, id)).toBe(0))
    const after = await query()
    expect(after.json).toMatchObject({ rows: [[before]] })
    expect(after.json).not.toHaveProperty('pendingRuns')
  },
)

test.skipIf(isOnClickhouse)(
  'a run that ends after the engine’s folder was deleted does not make the engine look complete',
  async () => {
    const { id } = platform.organization
    const before = (await query()).json.rows[0][0]
    rmSync(join(engine.folder, id), { recursive: true })
    await finish('e')
    await projectRuns(platform.services, id)
    expect((await query()).json).toMatchObject({ rows: [[before + 1]] })
  },
)
