import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { Client } from 'pg'

import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { serverFile } from '#tools/build-servers.mjs'
import { openDataDisk } from './data-disk.ts'
import { openFakeClock } from './fake-clock.ts'
import { openCommands } from './operator-commands.ts'
import { responds, supervise } from './supervised.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** The name of our own database connections, which no fault touches. */
const applicationName = 'faults'

/** The real program: PostgreSQL, a platform server, a BFF and workers, with proxies on the connections between them. */
export async function startInstallation({ workers: workerCount, port }: { workers: number; port: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-faults-'))
  // PostgreSQL runs as another user and must reach its folder. The data folder is private.
  chmodSync(folder, 0o711)
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o1777)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary
  const postgres = await startThrowawayPostgres({ keepsCommits: true })
  if (!postgres) throw new Error('PostgreSQL is not installed on this machine')
  const disk = openDataDisk(join(folder, 'data'))
  const clock = openFakeClock(folder)
  const database = new URL(postgres.url)
  const databaseProxy = await startTcpProxy(port + 1, Number(database.port))
  const platformProxy = await startTcpProxy(port + 2, port + 3)
  database.port = `${databaseProxy.port}`

  const environment = {
    DATABASE_URL: database.href,
    DATA_DIR: join(folder, 'data'),
    PLATFORM_PORT: `${port + 3}`,
    ASSAY_DEMO: 'off',
    LOG_LEVEL: 'error',
    ASSAY_ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
  }
  const logFile = (name: string) => join(folder, `${name}.log`)
  const start = (name: string, args: string[], more: Record<string, string>, isReady: () => Promise<boolean>) =>
    supervise({ name, args, environment: { ...environment, ...more }, logFile: logFile(name), isReady })

  const platform = start('platform', [await serverFile('platform')], { WORKER_SLOTS: '0' }, () => responds(port + 3))
  await platform.untilReady()
  const toPlatform = { PORT: `${port}`, PLATFORM_URL: `http://127.0.0.1:${platformProxy.port}` }
  const bff = start('BFF', [await serverFile('BFF')], toPlatform, () => responds(port))
  const assay = await serverFile('assay')
  const workers = Array.from({ length: workerCount }, (_, index) => {
    const name = `worker-${index + 1}`
    const own = { WORKER_SLOTS: '4', ...(index === 0 && clock.environment) }
    return start(name, [assay, 'run-worker'], own, () => saysReady(logFile(name)))
  })
  await Promise.all([bff, ...workers].map((each) => each.untilReady()))

  return {
    folder,
    temporary,
    dataFolder: join(folder, 'data'),
    url: `http://127.0.0.1:${port}`,
    postgres,
    disk,
    clock,
    databaseProxy,
    platformProxy,
    platform,
    bff,
    workers,
    programs: [platform, bff, ...workers],
    logFile,
    command: openCommands(join(folder, 'data'), port + 3),
    /** Asks the database past the proxy. Tries again while it is down. */
    async query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
      for (;;) {
        const client = new Client({ connectionString: postgres.url, application_name: applicationName })
        client.on('error', () => {})
        try {
          await client.connect()
          return (await client.query<Row>(statement, values)).rows
        } catch (error) {
          if (isMistake(error)) throw error
          await delay(100)
        } finally {
          await client.end().catch(() => {})
        }
      }
    },
    /** Ends everything, and leaves the folder for a look at what remains in it. */
    async stop() {
      await Promise.all(workers.map((each) => each.stop()))
      await bff.stop()
      await platform.stop()
      await postgres.stop()
      await Promise.all([databaseProxy.stop(), platformProxy.stop()])
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    },
    remove({ keepLogs }: { keepLogs: boolean }) {
      disk.close()
      if (!keepLogs) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>

/** Syntax errors and unknown names, which no restart cures. */
const isMistake = (error: unknown) => error instanceof Error && 'code' in error && String(error.code).startsWith('42')

/** Whether the last start in a worker's log got that far. */
async function saysReady(logFile: string) {
  const log = await readFile(logFile, 'utf8')
  return log.slice(log.lastIndexOf(' started as ')).includes('The worker is ready')
}
