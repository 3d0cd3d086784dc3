import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { sql } from 'drizzle-orm'

import { openDatabase } from '#platform/ground/database/open-database.ts'
import { createLab, startPlatformProcess } from '#platform/program/testing/platform-process.ts'
import { startClickhouseServer } from '#platform/program/testing/clickhouse-server.ts'
import { startTestBucket } from '#platform/program/testing/test-bucket.ts'
import { startTestSlurm, whyNoSlurm } from '#platform/program/testing/test-slurm.ts'
import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { openDashboard } from './fleet-dashboard.ts'
import { percentile } from './result.ts'

/**
 * Three servers and six workers on a Slurm of three nodes, with one PostgreSQL, one ClickHouse and one bucket; no two
 * processes share a folder. A worker, a node and a server are killed while the queued runs are being executed:
 * 50 real runs, then mock runs. Meanwhile a person uses the dashboard in Chromium. `node bench/fleet.ts 2000` chooses
 * the number of mock runs; with a folder behind it, pictures of the dashboard stay there. Needs root, slurm-wlm, munge,
 * bubblewrap, PostgreSQL and Chromium, and the app as `npm run build` makes it.
 */
const mockRuns = Number(process.argv[2] ?? 2000)
const picturesFolder = process.argv[3]
const realRuns = 50
const variants = 10
const slots = 4
const ceiling = 6

if (whyNoSlurm) throw new Error(`Slurm cannot be started here: ${whyNoSlurm}`)
const say = (line: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${line}`)
const started: (() => unknown)[] = []
/** Also after a failure, so that no process keeps running. */
async function end() {
  for (const stop of started.toReversed()) await stop()
  process.exit()
}
process.once('uncaughtException', (error) => {
  console.error(error)
  process.exitCode = 1
  void end()
})
const folder = await mkdtemp(join(tmpdir(), 'assay-fleet-'))
started.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const postgres = await startThrowawayPostgres({ keepsCommits: true })
if (!postgres) throw new Error('PostgreSQL is not installed')
started.push(postgres.stop)
const [bucket, clickhouse] = [await startTestBucket(), await startClickhouseServer()]
started.push(bucket.stop, clickhouse.remove)
const slurm = await startTestSlurm({ cpusPerNode: 2 * slots })
started.push(slurm.stop)
Object.assign(process.env, {
  DATABASE_URL: postgres.url,
  BLOBS_URL: bucket.url(),
  CLICKHOUSE_URL: clickhouse.url,
  CLICKHOUSE_USER: clickhouse.credentials.username,
  CLICKHOUSE_PASSWORD: clickhouse.credentials.password,
  ASSAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'error',
})

const startServer = (name: string) => startPlatformProcess(join(folder, name), { WORKER_SLOTS: '0' })
const servers = [await startServer('server-1'), await startServer('server-2'), await startServer('server-3')]
started.push(() => Promise.all(servers.map((server) => server.stop('SIGTERM'))))
const { db, close } = await openDatabase({ url: postgres.url })
started.push(close)
const key = createLab(join(folder, 'server-1'), { role: 'admin', kind: 'personal' })
const send = async (server: number, method: string, path: string, body?: object) => {
  const response = await fetch(`${servers[server]?.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(10_000),
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
}
say('3 servers, PostgreSQL, ClickHouse, a bucket and a Slurm of 3 nodes have started')

const definition = {
  id: 'fleet',
  name: 'Fleet',
  agents: ['a', 'b'].map((id) => ({ id, command: ['sh', '-c', 'echo started; sleep 5'] })),
  prompts: ['p', 'q', 'r', 's', 't'].map((id) => ({ id, text: 'Answer.' })),
  tests: ['one', 'two'].map((name) => ({ name, command: ['true'] })),
}
await send(0, 'POST', '/experiments', { experimentYaml: JSON.stringify(definition) })
const submit = (runs: number, mock: boolean) =>
  send(1, 'POST', '/experiments/fleet/runs', { mock, repeat: Math.ceil(runs / variants) })
await submit(realRuns, false)
await submit(mockRuns, true)
const submittedAt = performance.now()

const options = ['--slots', `${slots}`, '--ceiling', `${ceiling}`, '--poll-seconds', '2', '--idle-seconds', '5']
const places = ['--logs', join(folder, 'logs'), '--data-dir', join(folder, 'nodes')]
const cli = new URL('../platform/program/cli/main.ts', import.meta.url).pathname
const fleet = spawn(process.execPath, [cli, 'fleet', 'slurm', ...options, ...places], {
  env: { ...process.env, ...slurm.environment, DATA_DIR: join(folder, 'fleet') },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const fleetEnded = once(fleet, 'exit')
started.push(() => fleet.kill('SIGKILL'))
fleet.stdout.setEncoding('utf8').on('data', (text: string) =>
  text
    .trim()
    .split('\n')
    .forEach((line) => say(`fleet: ${line}`)),
)

const rowsOf = async <Row>(statement: ReturnType<typeof sql>) =>
  ((await db.execute(statement)) as unknown as { rows: Row[] }).rows
const owners = () =>
  rowsOf<{ owner: string; runs: number }>(
    sql`select lease_owner as owner, count(*)::int as runs from runs where status = 'running' group by 1 order by 1`,
  )
const pidOf = ({ owner }: { owner: string }) => Number(owner.split(':')[1])

/** Asks all living servers for a page of runs, as a dashboard does, until `over`. */
const killed = new Set<number>()
const asked = { ms: [] as number[], failed: [] as string[] }
const over = new AbortController()
async function watch() {
  while (!over.signal.aborted) {
    for (const server of servers.keys()) {
      const from = performance.now()
      await send(server, 'GET', '/runs?limit=50').then(
        () => asked.ms.push(performance.now() - from),
        (error: Error) => killed.has(server) || asked.failed.push(`server ${server + 1}: ${error.message}`),
      )
    }
    await delay(250)
  }
}
const watching = watch()
const dashboard = await openDashboard({ platformUrl: servers[0]?.url ?? '', key, folder })
started.push(dashboard.stop)

async function until<Value>(what: string, look: () => Promise<Value | undefined | false>): Promise<Value> {
  for (let left = 6000; left > 0; left -= 1) {
    const found = await look()
    if (found) return found
    await delay(100)
  }
  throw new Error(`Waited ten minutes for ${what}`)
}

const busy = await until('six workers', async () => {
  const found = await owners()
  return found.length >= ceiling && found
})
say(`Six workers on ${new Set(busy.map((each) => slurm.nodeOf(pidOf(each)))).size} nodes execute runs`)
const lost: string[] = []
const isLost = () =>
  rowsOf<{ runs: number }>(
    sql`select count(*)::int as runs from runs where status = 'running' and lease_owner in ${lost}`,
  )
const untilRequeued = async (what: string) => {
  const from = performance.now()
  await until('the runs to return', async () => (await isLost())[0]?.runs === 0)
  say(`${what}: its runs returned to the queue within ${((performance.now() - from) / 1000).toFixed(1)} s`)
}

const [worker] = await owners()
if (worker) {
  lost.push(worker.owner)
  process.kill(pidOf(worker), 'SIGKILL')
  await untilRequeued(`Killed a worker with ${worker.runs} runs`)
}
await until('a worker in its place', async () => (await owners()).length >= ceiling)
killed.add(1)
await servers[1]?.stop('SIGKILL')
say('Killed server 2')
await dashboard.picture('server-killed')
const node = slurm.nodeOf(pidOf((await owners())[0] ?? { owner: '' })) ?? ''
const onNode = (await owners()).filter((each) => slurm.nodeOf(pidOf(each)) === node)
lost.push(...onNode.map(({ owner }) => owner))
await slurm.killNode(node)
await untilRequeued(`Killed node ${node} with ${onNode.length} workers`)
await dashboard.picture('node-killed')
servers[1] = await startServer('server-2')
killed.delete(1)
say('Started server 2 again')

const unfinished = sql`select count(*)::int as runs from runs where status in ('queued', 'running')`
await until('all runs to end', async () => (await rowsOf<{ runs: number }>(unfinished))[0]?.runs === 0)
const seconds = (performance.now() - submittedAt) / 1000
over.abort()
await watching
const shown = await dashboard.end()
await until('the analytics', async () => {
  const [row] = await rowsOf<{ runs: number }>(sql`select count(*)::int as runs from analytics_outbox`)
  return row?.runs === 0
})
await until('the workers to end', async () => {
  const states = slurm.slurm('squeue', '--noheader', '--array', '--states=all', '--format=%T').split('\n')
  return states.every((state) => !['RUNNING', 'PENDING', 'COMPLETING'].includes(state))
})
fleet.kill('SIGTERM')
await fleetEnded

const [runs] = await rowsOf<Record<string, number>>(sql`
  select count(*)::int as runs, count(*) filter (where status = 'completed')::int as completed,
    count(*) filter (where not mock)::int as real,
    count(*) filter (where losses > 0)::int as lost_once, count(*) filter (where losses > 0 and not mock)::int as real_lost_once, max(attempt)::int as attempts,
    count(*) filter (where (select count(*) from run_status_changes change
      where change.run_id = runs.id and change.status in ('completed', 'errored', 'canceled')) <> 1)::int as not_ended_once,
    count(*) filter (where (select count(*) from captured_tests test where test.run_id = runs.id) <> 2)::int as wrong_tests,
    count(*) filter (where (select count(distinct attempt) from transcript_segments segment
      where segment.run_id = runs.id) <> 1)::int as wrong_transcripts
  from runs`)
say(`${realRuns} real runs and ${mockRuns} mock runs in ${seconds.toFixed(0)} s`)
console.table(runs)
printTimes('Lists of runs from the living servers', asked)
printTimes('Pages of the dashboard', shown)
const isGood =
  runs?.['completed'] === runs?.['runs'] &&
  [
    runs?.['not_ended_once'],
    runs?.['wrong_tests'],
    runs?.['wrong_transcripts'],
    asked.failed.length,
    shown.failed.length,
  ].every((count) => count === 0)
console.log(isGood ? 'Nothing was lost, doubled or stuck' : 'FAILED')
process.exitCode = isGood ? 0 : 1

if (picturesFolder) await cp(join(folder, 'pictures'), picturesFolder, { recursive: true })
await end()

function printTimes(what: string, { ms, failed }: { ms: number[]; failed: string[] }) {
  const at = (share: number) => `${Math.round(percentile(ms, share))} ms`
  console.log(`${what}: ${ms.length}, p50 ${at(0.5)}, p99 ${at(0.99)}, failed ${failed.length}`)
  for (const line of failed.slice(0, 5)) console.log(`  ${line}`)
}
