import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { openBlobs } from '#platform/ground/blobs/open-blobs.ts'
import { requireOwnBlobs } from '#platform/ground/blobs/require-own-blobs.ts'
import { openDatabase, type OpenDatabase } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { startTestBucket } from '#platform/program/testing/test-bucket.ts'
import { submitTestRuns, untilEnded, waitUntil } from '#platform/program/testing/test-run-engine.ts'
import { startTestSlurm, whyNoSlurm } from '#platform/program/testing/test-slurm.ts'

describe.skipIf(whyNoSlurm !== null)(`a fleet on a Slurm of three nodes (${whyNoSlurm ?? 'available'})`, () => {
  let slurm: Awaited<ReturnType<typeof startTestSlurm>>
  let postgres: NonNullable<Awaited<ReturnType<typeof startThrowawayPostgres>>>
  let bucket: Awaited<ReturnType<typeof startTestBucket>>
  let database: OpenDatabase
  let folder: string
  const fleets: { end: (signal: NodeJS.Signals) => Promise<unknown> }[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-fleet-'))
    const started = await startThrowawayPostgres()
    if (!started) throw new Error('Install PostgreSQL for this test')
    postgres = started
    bucket = await startTestBucket()
    slurm = await startTestSlurm()
    database = await openDatabase({ url: postgres.url })
    // As the first server does.
    const blobs = await openBlobs({ bucket: bucket.address(), dataFolder: folder })
    await requireOwnBlobs(database.db, blobs, { mayClaim: true, earlier: null })
  })
  afterAll(async () => {
    for (const fleet of fleets) await fleet.end('SIGKILL')
    await slurm?.stop()
    await database?.close()
    await bucket?.stop()
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  function startFleet() {
    const quick = ['--poll-seconds', '1', '--idle-seconds', '1', '--drain-seconds', '5']
    const size = ['--slots', '2', '--ceiling', '3', '--logs', join(folder, 'logs')]
    const places = { DATABASE_URL: postgres.url, BLOBS_URL: bucket.url(), DATA_DIR: join(folder, 'data') }
    const child: ChildProcess = spawn(process.execPath, [cli, 'fleet', 'slurm', ...quick, ...size], {
      env: { ...slurm.environment, ...places, SANDBOX: 'none' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(child, 'exit')
    const fleet = {
      output: () => output,
      async end(signal: NodeJS.Signals) {
        child.kill(signal)
        return (await ended)[0] as number | null
      },
    }
    fleets.push(fleet)
    return fleet
  }

  const jobs = () => slurm.slurm('squeue', '--noheader', '--array', '--states=all', '--format=%i %T %N').split('\n')
  const nodesInUse = () => new Set(jobs().flatMap((job) => (job.includes(' RUNNING ') ? [job.split(' ')[2]] : [])))

  /** A run in progress, with the node of its worker. The id of a worker names its process. */
  async function findRunningRun() {
    for (const run of await database.db.select().from(runs).where(eq(runs.status, 'running'))) {
      const node = slurm.nodeOf(Number(run.leaseOwner?.split(':')[1]))
      if (node) return { owner: run.leaseOwner ?? '', node }
    }
    return null
  }

  /** The runs of a worker that can no longer end them. */
  const findHeldRuns = (owner: string) =>
    database.db
      .select({ id: runs.id })
      .from(runs)
      .where(and(eq(runs.status, 'running'), eq(runs.leaseOwner, owner)))

  test('when a node dies, its runs continue on other nodes, and workers without work end', async () => {
    const definition = { id: 'fleet', name: 'Fleet', agents: [{ id: 'a', command: ['true'] }] }
    const { requestId } = await submitTestRuns(database.db, { definition, repeat: 40, mock: true })
    const first = startFleet()
    await waitUntil(async () => nodesInUse().size === 3, 'a worker on each node', 60_000)

    // A fleet that is killed leaves its workers alone, and the next one finds them.
    await first.end('SIGKILL')
    const second = startFleet()
    await waitUntil(async () => second.output().includes('Workers: 3 running'), 'the next fleet', 60_000)
    expect(second.output()).not.toContain('Submitted')

    let victim: Awaited<ReturnType<typeof findRunningRun>> = null
    await waitUntil(async () => (victim = await findRunningRun()) !== null, 'a run in progress')
    const { owner, node } = victim ?? { owner: '', node: '' }
    await slurm.killNode(node)
    // The run that was found may have ended just before.
    const held = await findHeldRuns(owner)
    expect(held).not.toEqual([])

    const ended = await untilEnded(database.db, requestId, 120_000)
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'completed'))
    for (const { id } of held) expect(ended.find((run) => run.id === id)).toMatchObject({ losses: 1, attempt: 2 })
    // Slurm requeued the job of the node; its worker found no work.
    await waitUntil(async () => jobs().every((job) => job.includes(' COMPLETED ')), 'the workers to end', 120_000)
    expect(jobs().filter((job) => job.endsWith(` ${node}`))).toEqual([])
    expect(await second.end('SIGTERM')).toBe(0)
    expect(second.output()).toContain('The fleet has stopped. Its workers keep running and exit after 1 s without work')
  })
})

const cli = fileURLToPath(new URL('../../program/cli/main.ts', import.meta.url))
