import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import type { RunList } from '#contract/run-list.ts'
import type { Run } from '#contract/runs.ts'
import { allRoutes } from '#platform/program/server/all-routes.ts'
import { buildHttp } from '#platform/program/server/build-http.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { renewLeases } from '#platform/queue/run-queue/renew-leases.ts'
import { settleRun } from '#platform/queue/run-queue/settle-run.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { completedRun } from '#platform/program/testing/completed-run.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
await platform.request('POST', '/experiments', { yaml: twoByTwo('polled') })
afterAll(() => platform.close())

const submit = async (): Promise<string> =>
  (await platform.request('POST', '/experiments/polled/runs', { body: { mock: true } })).json.runRequestId

const worker = { workerId: randomUUID(), leaseSeconds: 60 }
const findHeld = () => platform.services.db.select().from(runs).where(eq(runs.status, 'running'))

async function settle() {
  const [run] = await findHeld()
  if (!run) return
  const tests = [{ name: 'a', outcome: 'passed' as const, exitCode: 0, durationMs: 1, stdoutTail: '', stderrTail: '' }]
  const ending = { ...completedRun, tests, timeBudgetSeconds: 10 }
  await settleRun(platform.services, { ...run, runId: run.id }, ending)
}

/** None of these writes notifies the responding server, like the writes of a worker in another process. */
const writes = {
  nothing: async () => {},
  claim: () => claimRuns(platform.services.db, worker, 1),
  settle,
  submit,
  requeue: () => platform.services.db.execute(sql`update runs set status = 'queued' where status = 'running'`),
  rename: () => platform.services.db.execute(sql`update experiments set name = ${randomUUID()} where id = 'polled'`),
  renamePerson: () => platform.services.db.execute(sql`update users set name = ${randomUUID()}`),
}
const someWrites = fc.array(fc.constantFrom(...(Object.keys(writes) as (keyof typeof writes)[])), {
  minLength: 1,
  maxLength: 5,
})

/** Reads from a server that has nothing cached. */
async function readFresh<Body = RunList>(path: string): Promise<Body> {
  const app = await buildHttp(platform.services, allRoutes, { logger: false })
  const headers = { authorization: `Bearer ${platform.admin}` }
  const response = await app.inject({ method: 'GET', url: `/api/v1${path}`, headers })
  await app.close()
  return response.json<Body>()
}

/** The stamp depends on the moment of the response, which differs between servers. */
const withoutStamp = (list: RunList) => ({ ...list, stamp: undefined })

test('an entity tag hides no change: after any write a poll gives the same as a fresh read', async () => {
  const requestId = await submit()
  const paths = [`/runs?limit=3`, '/runs?status=completed', `/runs/${requestId}/tests`, '/experiments/polled']
  const pages = [...paths, `/runs?run_request_id=${requestId.toUpperCase()}`, `/runs/${requestId.toUpperCase()}`].map(
    (path) => ({ path, etag: '', text: '' }),
  )
  await fc.assert(
    fc.asyncProperty(someWrites, async (chosen) => {
      for (const write of chosen) {
        await writes[write]()
        for (const page of pages) {
          const response = await platform.request('GET', page.path, { headers: { 'if-none-match': page.etag } })
          if (response.status === 200) Object.assign(page, { text: response.text, etag: response.headers.etag })
          else expect(response.status).toBe(304)
        }
      }
      for (const { path, text } of pages)
        expect(withoutStamp(JSON.parse(text)), path).toEqual(withoutStamp(await readFresh(path)))
    }),
    { numRuns: 8 },
  )
}, 60_000)

test('the list of a stamp, merged with the changes since that stamp, is the current list', async () => {
  const lists = [
    'status=queued',
    'status=completed,running',
    `run_request_id=${await submit()}`,
    'version_scope=latest',
  ]
  const known = await Promise.all(
    lists.map(async (query) => ({ query, list: (await platform.request('GET', `/runs?${query}&limit=500`)).json })),
  )
  await fc.assert(
    fc.asyncProperty(someWrites, async (chosen) => {
      for (const write of chosen) await writes[write]()
      for (const page of known) {
        const since = `&changed_since=${encodeURIComponent(page.list.stamp)}`
        const news = (await platform.request('GET', `/runs?${page.query}&limit=500${since}`)).json
        page.list = { ...news, runs: merged(page.list, news) }
        const { runs: today, statusCounts } = await readFresh(`/runs?${page.query}&limit=500`)
        expect(page.list.runs, page.query).toEqual(today)
        expect(page.list.statusCounts).toEqual(statusCounts)
      }
    }),
    { numRuns: 8 },
  )
}, 60_000)

function merged(page: RunList, { runs: news, changes }: RunList): Run[] {
  if (!changes) return news
  const gone = new Set([...changes.removedIds, ...news.map(({ id }) => id)])
  const place = ({ createdAt, runUuid }: Run) => `${createdAt} ${runUuid}`
  return [...page.runs.filter(({ id }) => !gone.has(id)), ...news].toSorted((a, b) => (place(a) < place(b) ? 1 : -1))
}

test('a stamp returns only changed runs, and none while only leases are renewed', async () => {
  const requestId = await submit()
  const path = `/runs?run_request_id=${requestId}`
  const first = (await platform.request('GET', path)).json
  await platform.services.db.execute(sql`update runs set status = 'running', lease_owner = ${worker.workerId}
    where composite_id = ${first.runs[1].id}`)
  const changed = (await platform.request('GET', `${path}&changed_since=${encodeURIComponent(first.stamp)}`)).json
  expect(changed.runs.map(({ id, status }: Run) => [id, status])).toEqual([[first.runs[1].id, 'running']])
  expect([changed.changes, changed.statusCounts.running]).toEqual([{ removedIds: [] }, 1])

  const [held] = await findHeld()
  await renewLeases(platform.services.db, worker, { runIds: [held?.id ?? ''], requestIds: [] })
  const later = (await platform.request('GET', `${path}&changed_since=${encodeURIComponent(changed.stamp)}`)).json
  expect([later.runs, later.stamp]).toEqual([[], changed.stamp])
})

test('a stamp of another list, or from before a restore of the database, returns the whole list', async () => {
  const requestId = await submit()
  const path = `/runs?run_request_id=${requestId}`
  const { stamp, runs: all } = (await platform.request('GET', path)).json
  const [own = '', snapshot = '', life = ''] = stamp.split('.')
  const [, next = '0'] = snapshot.split(':')
  const later = BigInt(next) + 1_000_000n
  const other = (await platform.request('GET', '/runs?status=queued')).json.stamp
  const snapshots = ['', '5:3:', '1:9:9,2', '0:0:', '1:2:,', '1:2:2', `${later}:${later}:`]
  const ofOtherLives = [`${own}.${snapshot}`, `${own}.${snapshot}.${life}0`, `${own}.${snapshot}.`]
  for (const given of ['', 'x', ...snapshots.map((each) => `${own}.${each}.${life}`), ...ofOtherLives, other]) {
    const response = await platform.request('GET', `${path}&changed_since=${encodeURIComponent(given)}`)
    expect([given, response.status, response.json.runs?.length, response.json.changes]).toEqual([
      given,
      200,
      all.length,
      undefined,
    ])
  }
})

test('a cached answer for admins is not sent to members or to another organization', async () => {
  const requestId = await submit()
  await platform.services.db.execute(sql`update runs set status = 'errored', time_limit_hit = true,
    time_budget_seconds = 60, time_plan_cap_seconds = 0 where request_id = ${requestId}`)
  const member = await platform.newKey({ role: 'member' })
  const look = async (key: string) => platform.request('GET', `/runs?run_request_id=${requestId}`, { key })
  const [asAdmin, asMember] = [await look(platform.admin), await look(member)]
  expect(asAdmin.json.runs).toEqual(await readFresh(`/runs?run_request_id=${requestId}`).then(({ runs }) => runs))
  expect(asMember.status).toBe(200)

  await createOrganization(platform.services, { slug: 'other' })
  const stranger = await platform.newKey({ organizations: ['other'] })
  expect((await look(stranger)).json.runs).toEqual([])
  expect((await platform.request('GET', `/runs/${requestId}`, { key: stranger })).status).toBe(404)
  const tagged = { 'if-none-match': String(asAdmin.headers.etag) }
  const theirs = await platform.request('GET', `/runs?run_request_id=${requestId}`, { key: stranger, headers: tagged })
  expect(theirs.status).toBe(200)
})

test('concurrent readers share one read of the database', async () => {
  const requestId = await submit()
  const statements: string[] = []
  const { db } = platform.services
  const select = db.select.bind(db)
  db.select = ((...fields: Parameters<typeof select>) => {
    statements.push('select')
    return select(...fields)
  }) as typeof db.select
  const transaction = db.transaction.bind(db)
  db.transaction = (...asked) => {
    statements.push('transaction')
    return transaction(...asked)
  }
  onTestFinished(() => void Object.assign(db, { select, transaction }))
  const look = () => platform.request('GET', `/runs?run_request_id=${requestId}`)
  const readBy = async (readers: number) => {
    await db.execute(sql`update runs set status_reason = ${randomUUID()} where request_id = ${requestId}`)
    statements.length = 0
    await Promise.all(Array.from({ length: readers }, look))
    return statements.length
  }
  const forOne = await readBy(1)
  expect(forOne).toBeGreaterThan(0)
  // The key is looked up once a second, and a checkpoint of the server ends every answer: either adds a statement.
  await expect.poll(() => readBy(50)).toBeLessThanOrEqual(forOne)
})

test('every change of a run that readers see is stamped; changes that only the worker uses are not', async () => {
  const { rows } = (await platform.services.db.execute(sql`
    select a.attname as name from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any(t.tgattr)
    where t.tgname = 'runs_stamp_change'`)) as unknown as { rows: { name: string }[] }
  const { rows: columns } = (await platform.services.db.execute(
    sql`select column_name as name from information_schema.columns where table_name = 'runs'`,
  )) as unknown as { rows: { name: string }[] }
  const stamped = new Set(rows.map(({ name }) => name))
  const workers = [
    'attempt',
    'cancel_requested_at',
    'changed_in',
    'id',
    'label_slots',
    'lease_expires_at',
    'lease_owner',
    'losses',
    'retries',
  ]
  const writtenWithTheStatus = ['steps', 'stop_reason']
  const transcripts = [
    'reasoning_turn_count',
    'skipped_malformed',
    'transcript_published',
    'turn_count',
    'unknown_lines',
  ]
  expect(
    columns
      .map(({ name }) => name)
      .filter((name) => !stamped.has(name))
      .toSorted(),
  ).toEqual([...workers, ...writtenWithTheStatus, ...transcripts].toSorted())
})
