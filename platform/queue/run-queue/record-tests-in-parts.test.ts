import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { folderBlobs } from '#platform/ground/blobs/folder-blobs.ts'
import { type Database, type OpenDatabase, openDatabase } from '#platform/ground/database/open-database.ts'
import { queryRows } from '#platform/ground/database/query-rows.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { copyAfterStatements } from '#platform/program/testing/copy-after-statements.ts'
import { countInserted } from '#platform/program/testing/count-inserted.ts'
import { copyFolder, keepState } from '#platform/program/testing/kept-state.ts'
import { findTestRun, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { claimRuns } from './claim-runs.ts'
import { reclaimLostRuns } from './reclaim-lost-runs.ts'
import type { RunEnding } from './run-ending.ts'
import { settleTogether } from './settle-together.ts'

let folder: string
let opened: OpenDatabase
const servicesOn = (db: Database) => ({ db, blobs: folderBlobs(join(folder, 'blobs')) })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-many-tests-'))
  copyFolder(await keepState(), join(folder, 'state'))
  opened = await openDatabase({ folder: join(folder, 'state') })
})
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

const endingWith = (tests: number): RunEnding => ({
  status: 'completed',
  statusReason: null,
  tests: Array.from({ length: tests }, (_, at) => ({
    name: `test ${at}`,
    outcome: 'passed' as const,
    exitCode: 0,
    durationMs: null,
    stdoutTail: '',
    stderrTail: '',
  })),
  transcript: null,
  testAwareEvidenceSeq: null,
  wallSeconds: 1,
  heldSeconds: 1,
  timeBudgetSeconds: 60,
  timeLimitHit: false,
})

const many = 3500

async function claim(db: Database, repeat: number) {
  const definition = { id: `many-${repeat}`, name: 'Many', agents: [{ id: 'a', command: ['x'] }] }
  await submitTestRuns(db, { definition, repeat })
  return claimAgain(db, repeat)
}
const claimAgain = async (db: Database, count: number) =>
  (await claimRuns(db, { workerId: 'w', leaseSeconds: 60 }, count)).map((run) => ({ ...run, runId: run.id }))

/** Reads in one statement, like a reader of one moment. */
async function look(db: Database, runId: string) {
  const [run] = await queryRows(
    db,
    sql`select status, (select count(*)::int from ${capturedTests} where run_id = ${runId}) as tests
      from ${runs} where id = ${runId}`,
    z.object({ status: z.string(), tests: z.number() }),
  )
  return run
}

test('no transaction inserts more than a thousand tests, readers see all of a run’s tests with its end, and others end meanwhile', async () => {
  const { db } = opened
  const [large, small] = await claim(db, 2)
  if (!large || !small) throw new Error('too few runs')
  const settle = settleTogether(servicesOn(db))
  const { rows, stop } = countInserted()
  const seen: Awaited<ReturnType<typeof look>>[] = []
  const over = new AbortController()
  const order: string[] = []
  const ended = settle(large, endingWith(many)).finally(() => {
    over.abort()
    order.push('large')
  })
  const others = settle(small, endingWith(2)).finally(() => order.push('small'))
  while (!over.signal.aborted) seen.push(await look(db, large.id))
  expect(await Promise.all([ended, others])).toEqual([true, true])
  stop()
  expect(order).toEqual(['small', 'large'])
  expect(Math.max(...rows)).toBe(1000)
  expect(seen.length).toBeGreaterThan(3)
  for (const each of seen)
    expect([
      { status: 'running', tests: 0 },
      { status: 'completed', tests: many },
    ]).toContainEqual(each)
  expect(await look(db, large.id)).toEqual({ status: 'completed', tests: many })
  expect((await findTestRun(db, large.id)).testsPassed).toBe(many)
})

test('a run whose tests are being inserted is not given to another worker, whose tests would wait for them forever', async () => {
  const { db } = opened
  const [run] = await claim(db, 1)
  if (!run) throw new Error('no run')
  const services = servicesOn(db)
  const ended = settleTogether(services)(run, endingWith(many))
  expect(await reclaimLostRuns(services, { workers: 'all' })).toBe(0)
  expect(await ended).toBe(true)
  expect(await look(db, run.id)).toEqual({ status: 'completed', tests: many })
})

test('a worker that has lost its run leaves none of its many tests', async () => {
  const { db } = opened
  const [run] = await claim(db, 3)
  if (!run) throw new Error('no run')
  const services = servicesOn(db)
  expect(await settleTogether(services)({ ...run, attempt: run.attempt - 1 }, endingWith(many))).toBe(false)
  expect(await look(db, run.id)).toEqual({ status: 'running', tests: 0 })
  expect(await settleTogether(services)(run, endingWith(many))).toBe(true)
  expect(await look(db, run.id)).toEqual({ status: 'completed', tests: many })
})

test('a process that is killed while it ends a run leaves all of its tests with its end or neither, and the run can end again', async () => {
  const { db } = opened
  const [run] = await claim(db, 1)
  if (!run) throw new Error('no run')
  const { stop } = copyAfterStatements(join(folder, 'state'), ({ messages }) =>
    messages.some((message) => 'text' in message && /^(PREPARE|COMMIT)/.test(String(message.text))),
  )
  await settleTogether(servicesOn(db))(run, endingWith(many))
  const copies = stop()
  const left = new Map<string, string>()
  for (const copy of new Set(copies)) {
    const killed = await openDatabase({ folder: copy })
    const services = servicesOn(killed.db)
    await reclaimLostRuns(services, { workers: 'all' })
    const found = await look(killed.db, run.id)
    left.set(copy, `${found?.status} ${found?.tests}`)
    const again = (await claimAgain(killed.db, 9)).find(({ id }) => id === run.id)
    if (again) expect(await settleTogether(services)(again, endingWith(2))).toBe(true)
    await killed.close()
  }
  const found = copies.map((copy) => left.get(copy))
  const decided = found.indexOf(`completed ${many}`)
  expect(decided).toBeGreaterThan(3)
  expect(found).toEqual(found.map((_, at) => (at < decided ? 'queued 0' : `completed ${many}`)))
}, 180_000)
