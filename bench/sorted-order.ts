import { type SQL, sql } from 'drizzle-orm'

import { type RunSortField, runSortFields } from '#contract/run-list.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { exportedIds } from './exported-ids.ts'
import { startProgram } from './program.ts'
import { measureMs, rounded } from './result.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * Checks through the HTTP API of the running program, with many runs: for every sort and direction, the pages together
 * hold every run once, in the order of a plain SQL query; and every export has as many rows as SQL counts. Exits with 1
 * at a difference. `node bench/sorted-order.ts [runs] [postgres]`.
 */
const runCount = Number(process.argv[2] ?? 50_000)
const pageSize = 2500
const onPostgres = process.argv[3] === 'postgres'

type Row = Record<string, unknown>
const expected = new Map<string, string[]>()
let counted = 0

const postgres = onPostgres ? await startThrowawayPostgres() : undefined
if (onPostgres && !postgres) throw new Error('PostgreSQL is not installed')
if (postgres) process.env['DATABASE_URL'] = postgres.url

const program = await startProgram(async ({ db }, organizationId) => {
  const [person] = await rowsOf(db, sql`select id from users limit 1`)
  await seedRuns(db, { organizationId, userId: String(person?.['id']) }, runCount)
  await varyRuns(db)
  for (const sort of sorts()) expected.set(sort.name, await idsInOrder(db, sort))
  const [row] = await rowsOf(db, sql`select count(*)::int as runs from runs`)
  counted = Number(row?.['runs'])
})
const get = async (path: string) => {
  const response = await fetch(`${program.platformUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${program.key}` },
  })
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`)
  return response
}

let differences = 0
try {
  for (const { name } of sorts()) {
    let pages = 0
    let found: string[] = []
    const ms = await measureMs(async () => ({ pages, ids: found } = await walk(name)))
    const place = firstDifference(found, expected.get(name) ?? [])
    if (place !== null) differences += 1
    const verdict = place === null ? 'equals SQL' : `DIFFERS at row ${place}`
    print(
      `sort=${name}: ${found.length} rows in ${pages} pages, ${new Set(found).size} different, ${verdict}, ${rounded(ms / pages)} ms a page`,
    )
  }
  for (const format of ['csv', 'ndjson', 'parquet'] as const)
    for (const name of ['-createdAt', '-wallSeconds']) {
      const response = await get(`/runs/export?format=${format}&sort=${name}`)
      const ids = await exportedIds(format, new Uint8Array(await response.arrayBuffer()))
      const place = firstDifference(ids, expected.get(name) ?? [])
      if (place !== null || ids.length !== counted) differences += 1
      const verdict = place === null ? 'in the order of SQL' : `DIFFERS at row ${place}`
      print(`export ${format}, sort=${name}: ${ids.length} rows, SQL count() ${counted}, ${verdict}`)
    }
} finally {
  await program.stop()
  await postgres?.stop()
}
print(`${onPostgres ? 'PostgreSQL' : 'PGlite'}, ${counted} runs: ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1

async function walk(sort: string) {
  const ids: string[] = []
  let pages = 0
  for (let token: string | undefined = ''; token !== undefined; pages += 1) {
    const page = (await (await get(`/runs?sort=${sort}&limit=${pageSize}&page_token=${token}`)).json()) as {
      runs: { runUuid: string }[]
      nextPageToken?: string
    }
    ids.push(...page.runs.map(({ runUuid }) => runUuid))
    token = page.nextPageToken
  }
  return { pages, ids }
}

function firstDifference(one: readonly string[], other: readonly string[]) {
  if (one.length !== other.length) return Math.min(one.length, other.length)
  const place = one.findIndex((id, index) => id !== other[index])
  return place === -1 ? null : place
}

type Sort = { name: string; field: RunSortField; isDescending: boolean }

function sorts(): Sort[] {
  return runSortFields.flatMap((field) => [
    { name: field, field, isDescending: false },
    { name: `-${field}`, field, isDescending: true },
  ])
}

/** The value of each sort in SQL, written again here on purpose; text by code point. */
function valueOf(field: RunSortField): SQL {
  if (field === 'passRate')
    return sql.raw(
      'r.tests_passed::float8 / nullif(r.tests_passed + r.tests_failed + r.tests_unresolved + r.tests_errored, 0)',
    )
  if (field === 'triggeredBy') return sql.raw('u.name collate "C"')
  const column =
    field === 'runRequestId' ? 'request_id' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const isText = ['status', 'variant_id', 'agent', 'model', 'product', 'environment', 'prompt', 'experiment_id']
  return sql.raw(`r.${column}${isText.includes(column) ? ' collate "C"' : ''}`)
}

async function idsInOrder(db: Database, { field, isDescending }: Sort) {
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const rows = await rowsOf(
    db,
    sql`select r.id from runs r join users u on u.id = r.triggered_by
      order by ${valueOf(field)} ${direction} nulls last, r.created_at ${direction}, r.id ${direction}`,
  )
  return rows.map(({ id }) => String(id))
}

/**
 * Adds what the seed has not: a second submitter, other versions, end times, and nulls on every nullable axis. Ends the
 * live runs, because the program would change them.
 */
async function varyRuns(db: Database) {
  await db.execute(sql`insert into users (id, email, name, created_at)
    select gen_random_uuid(), 'second@lab.example', 'Álvaro', created_at from users limit 1`)
  await db.execute(sql`update runs set
    product = case when repeat % 3 = 0 then 'p' || (tests_passed % 4) end,
    environment = case when repeat % 4 = 1 then 'E' || tests_failed end,
    model = case when repeat % 5 = 2 then null else model end,
    prompt = case when repeat % 7 = 3 then null else prompt end,
    ordinal = 1 + repeat % 3,
    status = case when status in ('queued', 'running') then 'canceled' else status end,
    ended_at = case when tests_failed > 0 then created_at + make_interval(secs => tests_passed) end,
    triggered_by = case when repeat % 2 = 0 then triggered_by
      else (select id from users where email = 'second@lab.example') end`)
  await db.execute(sql`analyze`)
}

async function rowsOf(db: Database, statement: SQL) {
  const { rows } = (await db.execute(statement)) as unknown as { rows: Row[] }
  return rows
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
