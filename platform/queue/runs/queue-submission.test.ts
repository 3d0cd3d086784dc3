import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { isShared } from '#platform/ground/database/open-database.ts'
import { queryRows } from '#platform/ground/database/query-rows.ts'
import { grant } from '#platform/inputs/credits/ledger.ts'
import { withAccount } from '#platform/inputs/credits/open-account.ts'
import { creditHolds } from '#platform/ground/database/tables/credits.ts'
import { countInserted } from '#platform/program/testing/count-inserted.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
  for (const id of ['large', 'repeated', 'watched', 'real', 'small', 'dear'])
    await platform.request('POST', '/experiments', { yaml: yamlOf(id) })
})
afterAll(() => platform.close())

const yamlOf = (id: string) =>
  `id: ${id}\nname: Large\nagents: [{id: a, command: ["true"]}, {id: b, command: ["true"]}]\n`
const repeat = 125
const runCount = 2 * repeat

const submit = (id: string, headers: Record<string, string> = {}, body: object = { mock: true, repeat }) =>
  platform.request('POST', `/experiments/${id}/runs`, { body, headers })
const countRuns = async (id: string): Promise<number> =>
  (await platform.request('GET', `/runs?experiment_id=${id}&limit=1`)).json.statusCounts.queued

test('a large mock submission queues every run, each with its first status and in the counts of its version', async () => {
  const { status, json } = await submit('large')
  expect([status, json.runCount]).toEqual([202, runCount])
  const rows = await queryRows(
    platform.services.db,
    sql`select count(distinct runs.id)::int as runs, count(distinct (variant_id, repeat))::int as places,
      count(distinct composite_id)::int as ids, count(changes.seq)::int as changes,
      (select sum(runs)::int from version_counts where experiment_id = 'large' and status = 'queued') as counted
      from runs left join run_status_changes changes on changes.run_id = runs.id and changes.status = 'queued'
      where request_id = ${json.runRequestId} and runs.status = 'queued'`,
    z.object({ runs: z.number(), places: z.number(), ids: z.number(), changes: z.number(), counted: z.number() }),
  )
  expect(rows).toEqual([{ runs: runCount, places: runCount, ids: runCount, changes: runCount, counted: runCount }])
  expect(await countRuns('large')).toBe(runCount)
})

test('a large mock submission that is sent twice at once with one idempotency key queues its runs once', async () => {
  const headers = { 'idempotency-key': 'once' }
  const answers = await Promise.all([submit('repeated', headers), submit('repeated', headers)])
  expect(new Set(answers.map(({ json }) => json.runRequestId)).size).toBe(1)
  expect(await countRuns('repeated')).toBe(runCount)
})

test('a reader sees all runs of a large submission or none, and a poll finds them', async () => {
  const list = '/runs?experiment_id=watched&limit=200'
  const first = (await platform.request('GET', list)).json
  const over = new AbortController()
  const seen = new Set<number>()
  const watch = async () => {
    let { stamp } = first
    while (!over.signal.aborted) {
      const { json } = await platform.request('GET', `${list}&changed_since=${encodeURIComponent(stamp)}`)
      stamp = json.stamp
      seen.add(json.statusCounts.queued)
    }
  }
  await Promise.all([submit('watched').finally(() => over.abort()), watch()])
  expect([...seen].filter((queued) => queued !== 0 && queued !== runCount)).toEqual([])
  expect(seen.has(0)).toBe(true)
  const { json } = await platform.request('GET', `${list}&changed_since=${encodeURIComponent(first.stamp)}`)
  expect([json.runs.length, json.statusCounts.queued]).toEqual([200, runCount])
})

/** Of each lot of credit, what the ledger holds and what the runs say that it holds, in dollars. */
const heldByLot = () =>
  queryRows(
    platform.services.db,
    sql`select held_micros::float8 / 1e6 as ledger, coalesce((
        select sum((part ->> 'micros')::float8) / 1e6 from credit_holds, jsonb_array_elements(parts) as part
        where part ->> 'lotId' = lot.id::text), 0) as holds
      from credit_lots lot order by granted_at`,
    z.object({ ledger: z.number(), holds: z.number() }),
  )
const countHolds = () => platform.services.db.$count(creditHolds)

describe('a large submission of real runs', () => {
  beforeAll(async () => {
    // A run is estimated at two minutes, so it holds 8 cents, and the free credit is $25.
    Object.assign(platform.services.creditTerms, { runRate: 667 })
    const purchase = {
      bucket: 'on_demand',
      micros: 25_000_000n,
      expiresAt: null,
      source: 'test',
      from: 'purchased',
    } as const
    await platform.services.db.transaction((tx) =>
      withAccount(tx, platform.organization.id, ({ account, now }) => void grant(account, { ...purchase, at: now })),
    )
  })

  test('queues all runs with their holds at once, and in transactions that hold up nobody', async () => {
    const over = new AbortController()
    const counts = sql`select count(*)::int as runs, (select count(*)::int from credit_holds) as holds
      from runs where experiment_id = 'real'`
    const seen: unknown[] = []
    const watch = async () => {
      while (!over.signal.aborted)
        seen.push(...(await queryRows(platform.services.db, counts, z.object({ runs: z.number(), holds: z.number() }))))
    }
    const { rows, stop } = countInserted()
    const submitting = submit('real', {}, { repeat: 60 }).finally(() => over.abort())
    await Promise.all([submitting, watch()])
    stop()
    expect((await submitting).json.runCount).toBe(120)
    const [none, all] = [0, 120].map((count) => ({ runs: count, holds: count }))
    for (const each of seen) expect([none, all]).toContainEqual(each)
    expect(seen[0]).toEqual(none)
    expect([await countRuns('real'), await countHolds()]).toEqual([120, 120])
    // Each of 100 runs has a first status and a hold. A server has one transaction, which holds up nobody.
    if (!isShared(platform.services.db)) expect(Math.max(...rows)).toBe(200)
    const [free] = await heldByLot()
    expect(free?.holds).toBeCloseTo(120 * 0.08004)
    expect(free?.ledger).toBeCloseTo(free?.holds ?? 0)
  })

  test('holds what it must when another submission takes the credit that it had planned', async () => {
    // $15.39 are free: enough for one of them, not for both, and the rest comes from the purchased credit.
    await Promise.all([submit('large', {}, { repeat: 90 }), submit('small', {}, { repeat: 50 })])
    expect([await countRuns('small'), await countHolds()]).toEqual([100, 400])
    const lots = await heldByLot()
    expect(lots.map(({ ledger }) => ledger > 1)).toEqual([true, true])
    for (const { ledger, holds } of lots) expect(holds).toBeCloseTo(ledger)
    expect(lots.reduce((sum, { ledger }) => sum + ledger, 0)).toBeCloseTo(400 * 0.08004)
  })

  test('that the credit does not cover is refused before any of it is stored', async () => {
    const before = await heldByLot()
    const { status, json } = await submit('dear', {}, { repeat: 125 })
    expect([status, json.error]).toEqual([429, 'resource_exhausted'])
    expect([await countRuns('dear'), await countHolds(), await heldByLot()]).toEqual([0, 400, before])
  })
})
