import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'

import { keepEverything } from '#contract/retention.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'
import { retentionGraces, retentionPolicies } from '#platform/ground/database/tables/retention.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { sweepRetention } from '#platform/results/retention/sweep-retention.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { addPrintedRun } from '#platform/program/testing/printed-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const organizationId = platform.organization.id
const triggeredBy: string = (await platform.request('GET', '/whoami')).json.actor.id
await addVersion(platform.services.db, { organizationId, experimentId: 'old', ordinal: 1 })
beforeEach(async () => {
  for (const table of [retentionPolicies, retentionGraces]) await platform.services.db.delete(table)
})
afterAll(() => platform.close())

/** Rules that have been active for a while. */
async function setRules() {
  const body = { ...keepEverything, runs: 30, expectedUpdatedAt: null }
  await platform.request('PUT', '/admin/v1/retention', { body })
  await platform.services.db.update(retentionPolicies).set({ removesFrom: daysAgo(1) })
}

const endGraces = () =>
  platform.services.db.update(retentionGraces).set({ endsAt: sql`clock_timestamp() - interval '1 second'` })

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace('Z', '000Z')

async function addOldRun() {
  const at = daysAgo(40)
  const times = { createdAt: at, endedAt: at, statusUpdatedAt: at }
  const id = await addPrintedRun(platform.services, {
    organizationId,
    experimentId: 'old',
    triggeredBy,
    outcomes: { works: 'failed' },
    ...times,
  })
  return `/runs/${encodeURIComponent(id)}`
}

async function publish(of: { experimentId: string; runId: string | null }) {
  const body = { heading: 'Solved', sql: 'select 1 as n', slug: `s-${randomUUID()}` }
  const { json } = await platform.request('POST', '/insights', { body })
  const shared = { organizationId, heading: 'Solved', sql: '', includeTestAware: false, publishedBy: triggeredBy }
  const ids = { id: randomUUID(), insightId: json.insight.id, tokenHash: randomUUID(), keyId: 'k' }
  const at = { provenance: 'none' as const, publishedAt: daysAgo(0) }
  await platform.services.db.insert(publications).values({ ...shared, ...ids, ...at, ...of })
  return `/insights/${json.insight.slug}`
}

const statusAfterSweep = async (run: string) => {
  await sweepRetention(platform.services)
  return (await platform.request('GET', run)).status
}

test.each(['keep', 'flaky'])('a run that loses the tag “%s” is kept for 24 hours more', async (text) => {
  await setRules()
  const run = await addOldRun()
  const { json: label } = await platform.request('POST', `${run}/labels`, { body: { kind: 'tag', text } })
  expect(await statusAfterSweep(run)).toBe(200)
  await platform.request('DELETE', `${run}/labels/${label.id}`)
  expect(await statusAfterSweep(run)).toBe(200)
  const [grace] = await platform.services.db.select().from(retentionGraces)
  expect((Date.parse(grace?.endsAt ?? '') - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
  await endGraces()
  expect(await statusAfterSweep(run)).toBe(404)
  expect(await platform.services.db.$count(retentionGraces)).toBe(0)
})

test.each([true, false])(
  'runs whose published insight is deleted are kept for 24 hours more (%s)',
  async (ofOneRun) => {
    const run = await addOldRun()
    const { json } = await platform.request('GET', run)
    const insight = await publish({ experimentId: 'old', runId: ofOneRun ? json.run.id : null })
    await setRules()
    expect(await statusAfterSweep(run)).toBe(200)
    expect((await platform.request('DELETE', insight)).json).toEqual({ deleted: true })
    expect(await statusAfterSweep(run)).toBe(200)
    await endGraces()
    expect(await statusAfterSweep(run)).toBe(404)
  },
)

test('without rules nothing is noted, because new rules wait by themselves', async () => {
  const run = await addOldRun()
  const { json: label } = await platform.request('POST', `${run}/labels`, { body: { kind: 'tag', text: 'keep' } })
  await platform.request('DELETE', `${run}/labels/${label.id}`)
  expect(await platform.services.db.$count(retentionGraces)).toBe(0)
})

test('a preview counts runs that are only kept for the next 24 hours', async () => {
  await setRules()
  const before = await platform.services.db.$count(runs)
  const run = await addOldRun()
  const { json: label } = await platform.request('POST', `${run}/labels`, { body: { kind: 'tag', text: 'keep' } })
  await platform.request('DELETE', `${run}/labels/${label.id}`)
  const body = { ...keepEverything, runs: 30 }
  const { json } = await platform.request('POST', '/admin/v1/retention/preview', { body })
  expect(json.losses).toMatchObject([{ kind: 'runs', count: before + 1 }])
})
