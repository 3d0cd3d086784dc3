import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { Client } from 'pg'

import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { freePort, startProcess, waitUntilHealthy } from './program.ts'

export const testsPerRun = 2
export const turnsPerRun = 6

/** Real runs of about two seconds with six turns each, plus mock runs. */
const experiment = `
id: faulty
name: Faulty
agents:
  - {id: talks, command: [bash, -c, "for i in 1 2 3 4 5 6; do echo turn $i; sleep 0.3; done"]}
prompts:
  - {id: one, text: One}
tests:
  - {name: passes, command: ["true"]}
  - {name: fails, command: ["false"]}
`

/** A temporary PostgreSQL, a platform that serves, and workers in separate processes. */
export async function startFaultyInstallation(workerCount: number) {
  const postgres = await startThrowawayPostgres({ keepsCommits: true })
  if (!postgres) throw new Error('PostgreSQL is not installed on this machine')
  const dataFolder = await mkdtemp(join(tmpdir(), 'assay-faults-'))
  const port = await freePort()
  const shared = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataFolder,
    PLATFORM_PORT: `${port}`,
    ASSAY_DEMO: 'off',
    LOG_LEVEL: 'silent',
    ASSAY_ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
  }
  const platform = startProcess(['platform/main.ts'], { ...shared, WORKER_SLOTS: '0' })
  const url = `http://127.0.0.1:${port}`
  await waitUntilHealthy(url)
  const workers = Array.from({ length: workerCount }, () =>
    startProcess(['platform/cli/main.ts', 'run-worker'], { ...shared, WORKER_SLOTS: '6' }),
  )
  const assay = (...args: string[]) => {
    const env = { ...process.env, ...shared }
    const done = spawnSync(process.execPath, ['platform/cli/main.ts', ...args], { encoding: 'utf8', env })
    if (done.status !== 0) throw new Error(done.stderr)
    return done.stdout.trim()
  }
  assay('org', 'create', '--slug', 'lab')
  const person = ['--org', 'lab', '--email', 'a@lab.example', '--role', 'admin', '--kind', 'personal']
  const key = assay('key', 'create', ...person)
  assay('credits', 'grant', '--org', 'lab', '--usd', '100000.00')

  /** The HTTP status, or 0 without an answer. */
  async function post(path: string, body: string, type = 'application/json') {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body }).catch(() => null)
    return {
      status: response?.status ?? 0,
      json: (await response?.json().catch(() => ({}))) as { runRequestId?: string },
    }
  }
  const pushed = await post('/experiments', experiment, 'text/yaml')
  if (pushed.status >= 300) throw new Error(`The push of the experiment answered ${pushed.status}`)

  return {
    postgres,
    platform,
    workers,
    url,
    /** The request's id, once it is acknowledged. */
    async submit(count: number, mock: boolean) {
      const { status, json } = await post('/experiments/faulty/runs', JSON.stringify({ repeat: count, mock }))
      return { status, requestId: status === 202 ? json.runRequestId : undefined }
    },
    /** Uses a separate connection, which is opened again after a restart of the database. */
    async query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
      for (;;) {
        const client = new Client({ connectionString: postgres.url, application_name: 'faults' })
        client.on('error', () => {})
        try {
          await client.connect()
          return (await client.query<Row>(statement, values)).rows
        } catch {
          await delay(100)
        } finally {
          await client.end().catch(() => {})
        }
      }
    },
    async stop() {
      for (const worker of workers) worker.signal('SIGCONT')
      await Promise.all([...workers, platform].map((program) => program.stop()))
      await postgres.stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

export type FaultyInstallation = Awaited<ReturnType<typeof startFaultyInstallation>>
