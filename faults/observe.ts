import type { Ask } from './browser.ts'
import type { FinishedRun } from './check-analytics.ts'
import type { Ledger } from './check-ledger.ts'
import type { ObservedRun } from './check-runs.ts'
import type { StoredReport, StoredWrite } from './check-writes.ts'
import type { Installation } from './installation.ts'

export type Query = Installation['query']

/** An instant as the API writes it, so that texts compare like times. */
const instant = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export const observeRuns = (query: Query) =>
  query<ObservedRun>(`
    select id, request_id as "requestId", status, attempt, losses, retries, infrastructure_cause as "infrastructureCause",
      status_reason as reason, turn_count as "turnCount",
      (select count(*)::int from captured_tests where run_id = runs.id) as tests,
      (select coalesce(sum(turn_count), 0)::int from transcript_segments where run_id = runs.id) as "segmentTurns",
      (select count(*)::int from transcript_segments segment
        where run_id = runs.id and segment.attempt <> runs.attempt) as "staleSegments",
      (select coalesce(json_agg(json_build_object('seq', seq, 'status', status, 'attempt', attempt, 'at', ${instant('at::timestamptz')})
        order by seq), '[]') from run_status_changes where run_id = runs.id) as history
    from runs`)

/** Every write of the workload that the database has. */
export const observeWrites = (query: Query) =>
  query<StoredWrite>(`
    select 'submission' as kind, max_cost_usd::int::text as key, (select count(*)::int from runs where request_id = run_requests.id) as size
      from run_requests
    union all select 'version', definition ->> 'description', null from experiment_versions
    union all select 'report', description, null from reports
    union all select 'block', block[1], null from reports, regexp_matches(body_markdown, 'block-\\d+-\\d+', 'g') as block
    union all select 'comment', trim(text), null from report_comments
    union all select 'tag', text, null from labels where kind = 'tag'
    union all select 'grant', substr(source, 10), null from credit_entries where source like 'operator:grant-%'`).then(
    (rows) => rows.map(({ kind, key, size }) => ({ kind, key, ...(size !== null && { size }) })),
  )

export const observeReports = (query: Query) =>
  query<StoredReport>(
    `select id as "reportId", title, ${instant('updated_at::timestamptz')} as "updatedAt" from reports`,
  )

export async function observeLedger(query: Query): Promise<Ledger> {
  const big = <Row extends object>(rows: Row[], ...names: (keyof Row)[]) =>
    rows.map((row) => ({ ...row, ...Object.fromEntries(names.map((name) => [name, BigInt(String(row[name]))])) }))
  const postings = await query<Ledger['postings'][number]>(
    `select entry_id as "entryId", account, lot_id as "lotId", micros::text from credit_postings`,
  )
  const lots = await query<Ledger['lots'][number]>(
    `select id, available_micros::text as "availableMicros", held_micros::text as "heldMicros" from credit_lots`,
  )
  const [account] = await query<{ owed: string }>(`select sum(owed_micros)::text as owed from credit_accounts`)
  const charged = await query<Ledger['charged'][number]>(`
    select runs.id as "runId", count(usage.run_id)::int as usages, count(usage.entry_id)::int as posted
    from runs left join run_usage usage on usage.run_id = runs.id where not mock group by 1`)
  return {
    postings: big(postings, 'micros'),
    lots: big(lots, 'availableMicros', 'heldMicros'),
    owedMicros: BigInt(account?.owed ?? 0),
    charged,
  }
}

export const observeFinished = (query: Query) =>
  query<FinishedRun>(`
    select id, status, tests_passed || ' ' || tests_failed || ' ' || tests_unresolved || ' ' || tests_errored as outcomes,
      (select count(*)::int from captured_tests where run_id = runs.id) as tests, turn_count as turns,
      array_to_string(tags, ',') as tags
    from runs where status in ('completed', 'errored', 'canceled')`)

const pageRows = 5000

/** The same from analytics, through the API. */
export async function observeAnalytics(ask: Ask): Promise<FinishedRun[]> {
  const counts = async (table: string) =>
    new Map(
      (
        await rowsOf(
          ask,
          (after) => `SELECT run_id, count() FROM ${table} WHERE run_id > '${after}' GROUP BY 1 ORDER BY 1`,
        )
      ).map(([id, count]) => [String(id), Number(count)]),
    )
  const [tests, turns] = [await counts('tests'), await counts('turns')]
  const runs = await rowsOf(
    ask,
    (after) => `SELECT run_id, status, passed, failed, unresolved, errored, arrayStringConcat(tags, ',')
      FROM runs WHERE run_id > '${after}' ORDER BY 1`,
  )
  return runs.map(([id, status, passed, failed, unresolved, errored, tags]) => ({
    id: String(id),
    status: String(status),
    outcomes: [passed, failed, unresolved, errored].join(' '),
    tests: tests.get(String(id)) ?? 0,
    turns: turns.get(String(id)) ?? 0,
    tags: String(tags),
  }))
}

async function rowsOf(ask: Ask, statement: (after: string) => string): Promise<unknown[][]> {
  const all: unknown[][] = []
  for (;;) {
    const after = String(all.at(-1)?.[0] ?? '00000000-0000-0000-0000-000000000000')
    const body = { sql: `${statement(after)} LIMIT ${pageRows}`, limit: pageRows, includeTestAware: true }
    const { status, json } = await ask('POST', '/query', body)
    if (status !== 200) throw new Error(`A query of analytics answered ${status}: ${JSON.stringify(json)}`)
    const { rows } = json as { rows: unknown[][] }
    all.push(...rows)
    if (rows.length < pageRows) return all
  }
}
