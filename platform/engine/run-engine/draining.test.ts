import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'

import { openDatabase } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { cli, preloaded, seedState } from '#platform/program/testing/platform-process.ts'
import { openTestRunEngine, submitTestRuns, untilEnded, waitUntil } from '#platform/program/testing/test-run-engine.ts'
import { unavailable } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from './start-run-engine.ts'

const bench = await openTestRunEngine()
afterEach(() => bench.empty())
afterAll(() => bench.close())

const definition = { id: 'drained', name: 'Drained', agents: [{ id: 'a', command: ['true'] }] }
const start = () =>
  startRunEngine(bench.services, { sandbox: unavailable('none here'), workFolder: `${bench.folder}/work`, slots: 2 })

test('a worker that drains ends its runs, claims no more, and leaves the rest to others', async () => {
  const { requestId } = await submitTestRuns(bench.db, { definition, repeat: 6, mock: true })
  const statuses = async () =>
    (
      await bench.db
        .select({ status: runs.status, attempt: runs.attempt })
        .from(runs)
        .where(eq(runs.requestId, requestId))
    )
      .map(({ status, attempt }) => `${status} ${attempt}`)
      .toSorted()
  const engine = start()
  await waitUntil(async () => (await statuses()).filter((each) => each === 'running 1').length === 2, 'two runs')
  const done = (await statuses()).filter((each) => each.startsWith('completed')).length
  await engine.drain(new AbortController().signal)
  const left = await statuses()
  expect(left.filter((each) => each === 'completed 1')).toHaveLength(done + 2)
  expect(left.filter((each) => each === 'queued 0')).toHaveLength(4 - done)
  await engine.stop()
  expect(await statuses()).toEqual(left)

  const next = start()
  await untilEnded(bench.db, requestId)
  await next.stop()
  expect(new Set(await statuses())).toEqual(new Set(['completed 1']))
})

test('a drain that is cut short resolves, and its runs return to the queue', async () => {
  await submitTestRuns(bench.db, { definition, repeat: 1, mock: true })
  const engine = start()
  const first = async () => (await bench.db.select().from(runs))[0]
  await waitUntil(async () => (await first())?.status === 'running', 'the run')
  await engine.drain(AbortSignal.abort())
  await engine.stop()
  expect(await first()).toMatchObject({ status: 'queued', losses: 0 })
})

test('a worker with --exit-when-idle ends the queue and then itself', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'assay-idle-'))
  await seedState(dataFolder)
  const before = await openDatabase({ folder: join(dataFolder, 'state') })
  await submitTestRuns(before.db, { definition, repeat: 3, mock: true })
  await before.close()
  const worker = spawn(process.execPath, [...preloaded, cli, 'run-worker', '--exit-when-idle', '1'], {
    env: { ...process.env, DATA_DIR: dataFolder, ASSAY_DEMO: 'off' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(await once(worker, 'exit')).toEqual([0, null])
  const after = await openDatabase({ folder: join(dataFolder, 'state') })
  const ended = await after.db.select({ status: runs.status }).from(runs)
  expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  await after.close()
  await rm(dataFolder, { recursive: true, force: true })
})
