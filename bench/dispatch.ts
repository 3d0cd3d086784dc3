import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { sql } from 'drizzle-orm'

import { counted } from '#contract/wire/counted.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { reindex } from '#platform/analysis/projection/reindex.ts'
import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { startDispatching } from './dispatch-engine.ts'
import { openQueue, untilEnded } from './dispatch-queue.ts'
import { type Measurement, measureMs, report } from './result.ts'

/**
 * Measures how long a queue of mock runs without pauses takes, with everything stored that a real run stores: claim, history,
 * transcript, four tests, usage, the row for analytics, and the end. The floor is the bare statements of the same
 * writes, 32 runs to a transaction. `node bench/dispatch.ts 2000` chooses the number of runs.
 */
const queued = Number(process.argv[2] ?? 10_000)
const slots = 32

const measurements = await measureEmbedded()
for (const [workers, target] of [
  [1, undefined],
  [4, { atMost: 1000, ratio: 3 }],
] as const) {
  const postgres = await startThrowawayPostgres()
  if (postgres) {
    measurements.push({ ...(await measureWorkers(postgres.url, workers)), ...(target && { target }) })
    await postgres.stop()
  } else console.log('PostgreSQL is not installed, so workers on it were not measured.')
}
report(measurements)

async function measureEmbedded(): Promise<Measurement[]> {
  const opened = await openQueue(queued)
  const { services, dataFolder } = opened
  const engine = await startDispatching(services, { workFolder: join(dataFolder, 'work'), slots })
  const ours = await measureMs(() => untilEnded(services.db))
  await engine.stop()
  const projection = await measureMs(() => reindex(services, opened.organizationId))
  await opened.submit()
  const floor = await measureMs(() => writeBare(services.db))
  await opened.close()
  return [
    { ...measured('embedded, 32 slots', { ours, floor }), target: { atMost: 1000 / 0.4, ratio: 3 } },
    { what: '1,000 ended runs with 4 tests projected to the engine', unit: 'ms', ours: perThousand(projection) },
  ]
}

async function measureWorkers(url: string, workers: number): Promise<Measurement> {
  const opened = await openQueue(queued, { DATABASE_URL: url })
  const children = Array.from({ length: workers }, (_, index) =>
    spawn(process.execPath, [fileURLToPath(new URL('./dispatch-engine.ts', import.meta.url)), String(slots)], {
      env: { ...process.env, ...opened.environment, WORK_FOLDER: join(opened.dataFolder, `work-${index}`) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  for (const child of children) child.send('start')
  const ours = await measureMs(() => untilEnded(opened.services.db))
  await Promise.all(children.map((child) => (child.kill('SIGTERM'), once(child, 'exit'))))
  await opened.submit()
  const floor = await measureMs(() => writeBare(opened.services.db))
  await opened.close()
  return measured(`PostgreSQL, ${counted(workers, 'worker process', 'worker processes')}`, { ours, floor })
}

function perThousand(ms: number) {
  return (ms / queued) * 1000
}

function measured(where: string, { ours, floor }: { ours: number; floor: number }): Measurement {
  return {
    what: `1,000 mock runs dispatched, ${where}`,
    unit: 'ms',
    ours: perThousand(ours),
    floor: perThousand(floor),
  }
}

/** Claims and ends every queued run with nothing but SQL. */
async function writeBare(db: Database) {
  for (let isMore = true; isMore;) {
    isMore = await db.transaction(async (tx) => {
      const { rows } = (await tx.execute(sql`
        update runs set status = 'running', attempt = 1, started_at = now(), status_updated_at = now()
        where id in (
          select id from runs where status >= 'queued' and status <= 'queued'
          order by status, organization_id, created_at, id limit ${slots} for update skip locked)
        returning id`)) as unknown as { rows: { id: string }[] }
      const ids = sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::jsonb))`
      const addStatus = (seq: number) =>
        tx.execute(sql`
          insert into run_status_changes (run_id, seq, status, attempt, at)
          select id, ${seq}::int, status, attempt, status_updated_at from runs where id in ${ids}`)
      await addStatus(2)
      await tx.execute(sql`
        update runs set status = 'completed', ended_at = now(), status_updated_at = now(), tests_passed = 4,
          cost_usd = 0.01, total_tokens = 100, wall_seconds = 1, tool_calls = 3, transcript_published = true
        where id in ${ids}`)
      await addStatus(3)
      await tx.execute(sql`
        insert into captured_tests (run_id, ordinal, name, outcome, exit_code, duration_ms, stdout_tail, stderr_tail)
        select id, ordinal, 'test ' || ordinal, 'passed', 0, 1, 'mock', ''
        from ${ids} as runs (id), generate_series(0, 3) ordinal`)
      await tx.execute(sql`
        insert into transcript_segments (run_id, attempt, first_seq, last_seq, turn_count, reasoning_turn_count, blob_key)
        select id, 1, 1, 10, 10, 1, 'transcripts/' || id from ${ids} as runs (id)`)
      await tx.execute(sql`
        insert into run_usage (run_id, organization_id, experiment_id, user_id, model_micros, infrastructure_micros,
          byok_micros, ended_at)
        select id, organization_id, experiment_id, triggered_by, 0, 0, 0, ended_at from runs where id in ${ids}`)
      await tx.execute(sql`
        insert into analytics_outbox (organization_id, run_id) select organization_id, id from runs where id in ${ids}`)
      return rows.length > 0
    })
  }
}
