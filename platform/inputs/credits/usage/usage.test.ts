import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { limits } from '#contract/wire/limit.ts'
import type { Usage, UsageRow } from '#contract/usage.ts'
import { recordUsage } from '#platform/inputs/credits/record-usage.ts'
import { creditHolds, runUsage } from '#platform/ground/database/tables/credits.ts'
import { modelCalls } from '#platform/ground/database/tables/model-calls.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { addFinishedRun } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

let member: string
let ada: string
let max: string

const hourMs = 60 * 60_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString()
const whoami = async (key: string) => (await platform.request('GET', '/whoami', { key })).json.actor.id as string
const ask = (query: Record<string, string> = {}, key = platform.admin) =>
  platform.request('GET', `/admin/v1/usage?${new URLSearchParams(query)}`, { key })
const usage = async (query: Record<string, string> = {}, key?: string): Promise<Usage> => {
  const { status, json } = await ask(query, key)
  expect([status, json.message]).toEqual([200, undefined])
  return json
}

type Facts = {
  endedAt?: string
  agent?: string
  model?: string | null
  userId?: string
  experimentId?: string
  credit?: bigint
  ownKey?: bigint
  mock?: boolean
}

/** A finished run, and its cost in the ledger unless it is a mock run. */
async function ran(facts: Facts) {
  const { db } = platform.services
  const { endedAt = hoursAgo(1), agent = 'careful', model = 'sonnet', userId = ada, experimentId = 'roman' } = facts
  const organizationId = platform.organization.id
  const shared = { organizationId, experimentId, endedAt, agent, model }
  const runId = await addFinishedRun(db, { ...shared, mock: facts.mock ?? false, triggeredBy: userId, outcomes: {} })
  if (facts.mock) return
  const costs = {
    modelMicros: (facts.credit ?? 0n) / 2n,
    infrastructureMicros: (facts.credit ?? 0n) - (facts.credit ?? 0n) / 2n,
  }
  await db.insert(creditHolds).values({ runId, organizationId, parts: [], runRate: 10, platformKey: false })
  const tokens = { inputTokens: 1000, cachedTokens: 400, outputTokens: 50 }
  await db.insert(runUsage).values({ runId, ...shared, ...costs, ...tokens, userId, byokMicros: facts.ownKey ?? 0n })
}

const platform = await openTestPlatform()
beforeAll(async () => {
  const { db } = platform.services
  // The current cycle began about two weeks ago.
  await db
    .update(organizations)
    .set({ createdAt: hoursAgo(24 * 75) })
    .where(eq(organizations.id, platform.organization.id))
  await createOrganization(platform.services, { slug: 'elsewhere' })
  member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
  ada = await whoami(platform.admin)
  max = await whoami(member)
  await platform.request('POST', '/experiments', { yaml: twoByTwo('roman') })
  await platform.request('POST', '/experiments', { yaml: twoByTwo('greek').replace('Two by two', 'Greek numerals') })
  await ran({ credit: 3_000_001n, ownKey: 0n })
  await ran({ credit: 500_000n, agent: 'hasty', userId: max, experimentId: 'greek' })
  await ran({ ownKey: 7_000_000n, model: null, userId: max, endedAt: hoursAgo(30) })
  await ran({ credit: 250_000n, model: 'opus', endedAt: hoursAgo(50) })
  await ran({ credit: 9_000_000n, endedAt: hoursAgo(24 * 40) })
  await ran({ mock: true })
})
afterAll(() => platform.close())

const sumOf = (rows: readonly Pick<UsageRow, 'runs' | 'creditMicros' | 'ownKeyMicros'>[]) =>
  rows.reduce(
    (sum, row) => ({
      runs: sum.runs + row.runs,
      credit: sum.credit + Number(row.creditMicros),
      ownKey: sum.ownKey + Number(row.ownKeyMicros),
    }),
    { runs: 0, credit: 0, ownKey: 0 },
  )

/** The list that a row leads to. */
async function runsBehind({ groupBy, from, until, userId }: Usage, key: string, intervals: Usage['intervals'] = []) {
  const interval = intervals.find((each) => each.from === key)
  const filter = {
    ...(groupBy === 'model' && (key === '' ? { without_model: 'true' } : { model: key })),
    ...(groupBy === 'agent' && { agent: key }),
    ...(groupBy === 'experiment' && { experiment_id: key }),
    ...(groupBy === 'person' && { triggered_by: key }),
    ...(userId && { triggered_by: userId }),
  }
  const period = { ended_since: interval?.from ?? from, ended_before: interval?.until ?? until, metered: 'true' }
  const search = new URLSearchParams({ ...filter, ...period, limit: String(limits.runs.max) })
  const { status, json } = await platform.request('GET', `/runs?${search}`)
  expect(status).toBe(200)
  return json.runs.length as number
}

describe.each(['model', 'agent', 'experiment', 'person', 'day'])('usage by %s', (groupBy) => {
  test('the sums of the rows and of the segments are those of the ledger, and each row leads to exactly its runs', async () => {
    const found = await usage({ groupBy, period: 'last_30_days' })
    const expected = { runs: 4, credit: 3_750_001, ownKey: 7_000_000 }
    expect(sumOf([found.totals])).toEqual(expected)
    expect(sumOf(found.rows)).toEqual(expected)
    expect(sumOf(found.segments)).toEqual(expected)
    expect(found.totals).toMatchObject({ inputTokens: 4000, cachedTokens: 1600, outputTokens: 200 })
    for (const { key, runs } of found.rows)
      expect([key, await runsBehind(found, key, found.intervals)]).toEqual([key, runs])
  })
})

test('usage of a cycle equals the credit ledger', async () => {
  for (const groupBy of ['model', 'day']) {
    const found = await usage({ groupBy })
    const { json } = await platform.request('GET', '/credits/spend?include_byok=true')
    expect([found.totals.creditMicros, found.totals.ownKeyMicros]).toEqual([
      json.totalManagedSpendMicros,
      json.totalByokAttributionMicros,
    ])
    expect(found.from).toBe(json.periodStart)
  }
})

test('the end of a run writes what it used, with the cached tokens of its last attempt', async () => {
  const { db } = platform.services
  const organizationId = platform.organization.id
  const facts = { agent: 'careful', model: 'haiku', inputTokens: 900, outputTokens: 30, attempt: 2, costUsd: 1 }
  for (const cached of [[70, 5], []]) {
    const endedAt = '2026-03-03T12:00:00.000000Z'
    const runId = await addFinishedRun(db, { ...facts, organizationId, experimentId: 'greek', endedAt, outcomes: {} })
    await db.insert(creditHolds).values({ runId, organizationId, parts: [], runRate: 10, platformKey: true })
    for (const [seq, cachedTokens] of cached.entries()) {
      const call = {
        runId,
        seq,
        startedAt: endedAt,
        provider: 'anthropic',
        refused: false,
        durationMs: 1,
        cachedTokens,
      }
      for (const attempt of [1, 2]) await db.insert(modelCalls).values({ ...call, attempt, tokenSource: 'provider' })
    }
    await db.transaction((tx) => recordUsage(tx, [{ runId, seconds: 1 }]))
  }
  const { rows } = await usage({ from: '2026-03-03', to: '2026-03-03' })
  expect(rows).toMatchObject([
    { key: 'haiku', runs: 2, inputTokens: 1800, cachedTokens: 75, outputTokens: 60, creditMicros: '2000020' },
  ])
})

test('rows have names, come most expensive first, and compare with the previous period', async () => {
  const found = await usage({ groupBy: 'experiment', period: 'last_30_days' })
  expect(found.rows.map(({ key, label }) => [key, label])).toEqual([
    ['roman', 'Two by two'],
    ['greek', 'Greek numerals'],
  ])
  expect(found.previous).toEqual({ runs: 1, creditMicros: '9000000', ownKeyMicros: '0' })
  expect(found.rows[0]?.previous).toEqual(found.previous)
  const lengthOf = (from: string, until: string) => Date.parse(until) - Date.parse(from)
  const lengths = [lengthOf(found.previousFrom, found.from), lengthOf(found.from, found.until)]
  // Date reads no microseconds.
  expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThanOrEqual(1)
  const people = await usage({ groupBy: 'person', period: 'last_30_days' })
  expect(people.rows.map(({ key }) => key)).toEqual([max, ada])
})

describe('days', () => {
  test('usage by day uses the time zone, including days of 23 and 25 hours', async () => {
    const found = await usage({ groupBy: 'day', from: '2026-10-24', to: '2026-10-26', timeZone: 'Europe/Berlin' })
    expect(found.intervals).toEqual([
      { from: '2026-10-23T22:00:00.000000Z', until: '2026-10-24T22:00:00.000000Z' },
      { from: '2026-10-24T22:00:00.000000Z', until: '2026-10-25T23:00:00.000000Z' },
      { from: '2026-10-25T23:00:00.000000Z', until: '2026-10-26T23:00:00.000000Z' },
    ])
    expect(found.rows.map(({ key, runs }) => [key, runs])).toEqual(found.intervals.map(({ from }) => [from, 0]))
    const latest = await usage({ period: 'last_30_days', timeZone: 'Asia/Kolkata' })
    expect(latest.intervals).toHaveLength(30)
    expect(latest.intervals[0]?.from).toMatch(/T18:30:00\.000000Z$/)
    expect(latest.intervals.at(-1)?.until).toBe(latest.until)
  })

  test('are months in a long period', async () => {
    const found = await usage({ from: '2026-01-10', to: '2026-06-20' })
    expect(found.intervalUnit).toBe('month')
    expect(found.intervals.map(({ from }) => from.slice(0, 10))).toEqual([
      '2026-01-10',
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
      '2026-05-01',
      '2026-06-01',
    ])
  })
})

test('members see only their own runs, and not who else spent', async () => {
  const found = await usage({ period: 'last_30_days' }, member)
  expect(found).toMatchObject({ userId: max, totals: { runs: 2, creditMicros: '500000', ownKeyMicros: '7000000' } })
  for (const { key, runs } of found.rows) expect(await runsBehind(found, key)).toBe(runs)
  expect(await ask({ groupBy: 'person' }, member)).toMatchObject({ status: 403, json: { error: 'permission_denied' } })
})

test('rows beyond the seven most expensive share one bar', async () => {
  for (let place = 0; place < 9; place += 1)
    await ran({ agent: `agent-${place}`, credit: 1n, experimentId: 'greek', endedAt: '2026-02-03T12:00:00Z' })
  const found = await usage({ groupBy: 'agent', from: '2026-02-01', to: '2026-02-04' })
  expect(found.rows).toHaveLength(9)
  expect(found.segments.map(({ key }) => key)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((place) => `agent-${place}`).concat([null] as never),
  )
  expect(found.segments.at(-1)).toMatchObject({ interval: 2, runs: 2, creditMicros: '2' })
})

test('nothing of another organization is counted', async () => {
  const other = await platform.newKey({ organizations: ['elsewhere'] })
  expect(await usage({ period: 'last_30_days' }, other)).toMatchObject({ totals: { runs: 0 }, rows: [], segments: [] })
})

test.each([
  [{ groupBy: 'team' }, 'group_by'],
  [{ period: 'always' }, 'period'],
  [{ from: '2026-01-01' }, 'Send both'],
  [{ from: '2026-01-01', to: '2026-01-02', period: 'current' }, 'but not both'],
  [{ from: '2026-01-02', to: '2026-01-01' }, 'must not be before'],
  [{ from: '2020-01-02', to: '2026-01-01' }, 'at most 1100 days'],
  [{ from: '2999-01-01', to: '2999-01-02' }, 'must not be in the future'],
  [{ from: '2026-02-30', to: '2026-03-02' }, 'must be a date'],
  [{ timeZone: 'Mars/Base' }, 'must be the name of a time zone'],
  [{ timeZone: '+02:00' }, 'must be the name of a time zone'],
])('400 invalid_argument for %j', async (query, message) => {
  const { status, json } = await ask(query as Record<string, string>)
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
  expect(JSON.stringify(json)).toContain(message)
})

test('404 not_found for the previous cycle of a new organization', async () => {
  const other = await platform.newKey({ organizations: ['elsewhere'] })
  expect(await ask({ period: 'previous' }, other)).toMatchObject({ status: 404, json: { error: 'not_found' } })
})
