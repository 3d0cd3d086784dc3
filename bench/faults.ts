import { setTimeout as delay } from 'node:timers/promises'

import { type FaultyInstallation, startFaultyInstallation, testsPerRun, turnsPerRun } from './faulty-installation.ts'

/**
 * `node bench/faults.ts [cuts] [restarts] [freezes]`: breaks a platform under load and counts the damage. It is not
 * part of `npm run bench`, because it takes minutes and measures no comparable time. Exits with code 1 when anything
 * was lost.
 */
const [cuts = 30, restarts = 10, freezes = 20] = process.argv.slice(2).map(Number)
const takeoverSeconds = 15

const installation = await startFaultyInstallation(3)
const programs = [installation.platform, ...installation.workers]
const acknowledged = new Map<string, number>()
const responses = new Map<number, number>()
const healthMs: number[] = []
const working = new AbortController()

const submitting = (async () => {
  for (let round = 0; !working.signal.aborted; round += 1) {
    const count = 6
    const { status, requestId } = await installation.submit(count, round % 2 === 0)
    responses.set(status, (responses.get(status) ?? 0) + 1)
    if (requestId) acknowledged.set(requestId, count)
    await untilFewWait()
  }
})()
const watching = (async () => {
  for (; !working.signal.aborted; await delay(200)) {
    const startedAt = performance.now()
    await fetch(`${installation.url}/healthz`).then(
      (response) => response.text(),
      () => null,
    )
    healthMs.push(performance.now() - startedAt)
  }
})()

await untilRunning()
for (let done = 0; done < cuts; done += 1) {
  await delay(Math.random() * 1000)
  await installation.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name <> 'faults' and backend_type = 'client backend' and random() < 0.7`,
  )
}
say(`Cut most connections ${cuts} times`)
for (let done = 0; done < restarts; done += 1) {
  await delay(Math.random() * 3000)
  await installation.postgres.crash()
}
say(`Restarted PostgreSQL ${restarts} times with -m immediate`)
const takeovers: number[] = []
for (let done = 0; done < freezes; done += 1) {
  await delay(Math.random() * 2000)
  const took = await freezeOne(installation, done)
  if (took !== null) takeovers.push(took)
  say(
    `Freeze ${done + 1}: ${took === null ? 'the worker had no run' : `other workers had its runs after ${took.toFixed(1)} s`}`,
  )
}
working.abort()
await Promise.all([submitting, watching])
const ended = await untilAllEnded()

const measurements = {
  'processes ended': programs.filter((program) => program.hasEnded()).length,
  'runs acknowledged': [...acknowledged.values()].reduce((sum, count) => sum + count, 0),
  ...(await countDamage()),
  'runs not ended': ended,
  'takeovers measured': takeovers.length,
  'takeovers over the limit': takeovers.filter((seconds) => seconds > takeoverSeconds).length,
}
console.table(measurements)
console.table({
  'slowest takeover, s': Math.max(0, ...takeovers).toFixed(1),
  'slowest /healthz, ms': Math.max(...healthMs).toFixed(0),
  'answers to submits': [...responses].map(([status, count]) => `${count} × ${status}`).join(', '),
})
for (const { reason } of await installation.query<{ reason: string }>(
  `select distinct status_reason as reason from runs where status = 'errored'`,
))
  say(`A run errored: ${reason}`)
const harmless = new Set(['runs acknowledged', 'takeovers measured'])
process.exitCode = Object.entries(measurements).some(([name, count]) => count > 0 && !harmless.has(name)) ? 1 : 0
await installation.stop()

function say(text: string) {
  process.stdout.write(`${text}\n`)
}

/**
 * Freezes a worker. Returns the seconds until it has no run left, or null when it had none. The runs that others took
 * over end before the next freeze, because three losses in a row end a run by design.
 */
async function freezeOne({ workers, query }: FaultyInstallation, index: number) {
  const worker = workers[index % workers.length]
  if (!worker) return null
  worker.signal('SIGSTOP')
  const startedAt = performance.now()
  const held = `select id from runs where status = 'running' and split_part(lease_owner, ':', 2) = $1`
  const heldNow = () => query<{ id: string }>(held, [`${worker.pid}`])
  const ids = (await heldNow()).map(({ id }) => id)
  while ((await heldNow()).length > 0 && performance.now() - startedAt < 90_000) await delay(100)
  const seconds = (performance.now() - startedAt) / 1000
  worker.signal('SIGCONT')
  const unfinished = `select 1 from runs where id = any($1) and status in ('queued', 'running')`
  while ((await query(unfinished, [ids])).length > 0) await delay(100)
  return ids.length > 0 ? seconds : null
}

async function untilFewWait() {
  const waiting = `select count(*)::int as runs from runs where status = 'queued'`
  while (!working.signal.aborted && ((await installation.query<{ runs: number }>(waiting))[0]?.runs ?? 0) > 6)
    await delay(100)
}

async function untilRunning() {
  const running = `select 1 from runs where status = 'running' limit 1`
  while ((await installation.query(running)).length === 0) await delay(100)
}

/** The number of runs that have not ended after three minutes. */
async function untilAllEnded() {
  const open = `select count(*)::int as runs from runs where status in ('queued', 'running', 'waiting_for_ci')`
  const count = async () => (await installation.query<{ runs: number }>(open))[0]?.runs ?? 0
  for (let left = 900; left > 0 && (await count()) > 0; left -= 1) await delay(200)
  return count()
}

/** Each count is 0 unless something was lost, duplicated or written by a worker that had lost its run. */
async function countDamage() {
  const count = async (statement: string) =>
    (await installation.query<{ count: number }>(`select count(*)::int as count from (${statement}) found`))[0]
      ?.count ?? -1
  const requests = await installation.query<{ id: string; runs: number }>(
    `select request_id as id, count(*)::int as runs from runs group by 1`,
  )
  const runsOf = new Map(requests.map(({ id, runs }) => [id, runs]))
  const endings = `select run_id from run_status_changes where status in ('completed', 'errored', 'canceled') group by 1`
  return {
    'runs lost': [...acknowledged].filter(([id, runs]) => runsOf.get(id) !== runs).length,
    'runs errored': await count(`select 1 from runs where status = 'errored'`),
    'runs ended twice': await count(`${endings} having count(*) > 1`),
    'runs without their tests': await count(
      `select 1 from runs where (select count(*) from captured_tests where run_id = runs.id) <> ${testsPerRun}`,
    ),
    'runs without their turns': await count(
      `select 1 from runs where not mock and (turn_count <> ${turnsPerRun} or turn_count <>
        (select coalesce(sum(turn_count), 0) from transcript_segments where run_id = runs.id))`,
    ),
    'stale writes': await count(
      `select 1 from run_status_changes later join run_status_changes earlier using (run_id)
      where later.seq > earlier.seq and later.attempt < earlier.attempt`,
    ),
    'stale segments': await count(
      `select 1 from transcript_segments join runs on runs.id = run_id where transcript_segments.attempt <> runs.attempt`,
    ),
  }
}
