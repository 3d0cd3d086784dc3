import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import { completedRun } from '#platform/program/testing/completed-run.ts'
import { breakableDatabase } from '#platform/program/testing/breakable-database.ts'
import {
  findTestRun,
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
  waitUntil,
  untilEnded,
} from '#platform/program/testing/test-run-engine.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { writeTranscript } from '#platform/queue/transcripts/write-transcript.ts'
import { placesInSandbox } from '#platform/engine/images/run-place.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { reclaimLostRuns } from '#platform/queue/run-queue/reclaim-lost-runs.ts'
import { detectSandbox, unavailable } from '#platform/engine/sandbox/detect-sandbox.ts'
import { settleRun } from '#platform/queue/run-queue/settle-run.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

function startBreakable(options = {}) {
  const { db, goDown, comeBack } = breakableDatabase(bench.db)
  const onError = vi.fn<(error: unknown, about: string) => void>()
  const services = { ...bench.services, db }
  const engine = startRunEngine(services, { sandbox, workFolder: `${bench.folder}/work`, onError, ...options })
  return { engine, goDown, comeBack, onError }
}

const passes = { name: 'passes', command: ['true'] }

const isRunning = (count: number) => async () =>
  (await bench.db.select().from(runStatusChanges)).filter(({ status }) => status === 'running').length >= count

test('mock runs that end while the database is down are settled in their first attempt once it is back', async () => {
  const definition = { id: 'mocked', name: 'Mocked', agents: [{ id: 'a', command: ['x'] }], tests: [passes] }
  const { requestId } = await submitTestRuns(bench.db, { definition, repeat: 8, mock: true })
  const { engine, goDown, comeBack, onError } = startBreakable({ slots: 4, sandbox: unavailable('none here') })
  await waitUntil(isRunning(4), 'four runs to start')
  goDown()
  await expect.poll(() => onError).toHaveBeenCalled()
  comeBack()
  const ended = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(ended.map(({ status, losses }) => [status, losses])).toEqual(ended.map(() => ['completed', 0]))
  expect(await bench.db.select().from(analyticsOutbox)).toHaveLength(8)
})

test('a worker claims no runs while its container engine is down, logs that once, and continues when the engine is back', async () => {
  const definition = { id: 'waiting', name: 'Waiting', agents: [{ id: 'a', command: ['x'] }], tests: [passes] }
  const { requestId } = await submitTestRuns(bench.db, { definition, repeat: 2, mock: true })
  const onError = vi.fn<(error: unknown, about: string) => void>()
  let reason: string | null = 'The container engine does not answer'
  let looks = 0
  const whyNotReady = () => {
    looks += 1
    return reason
  }
  const places = { ...placesInSandbox(unavailable('none here'), undefined), whyNotReady }
  const engine = startRunEngine(bench.services, { places, workFolder: `${bench.folder}/work`, onError })
  await waitUntil(async () => looks >= 3, 'the worker to look three times')
  expect(await isRunning(1)()).toBe(false)
  expect(onError.mock.calls).toEqual([
    [new Error(reason), 'The worker claims no runs until its container engine answers'],
  ])
  reason = null
  const ended = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(ended.map(({ status, losses }) => [status, losses])).toEqual(ended.map(() => ['completed', 0]))
})

test.skipIf(!sandbox.status.available)(
  'an agent continues while the database is down, and its transcript is complete afterwards',
  async () => {
    const script = 'for i in 1 2 3 4 5 6; do echo "turn $i"; sleep 0.3; done'
    const agents = [{ id: 'a', command: ['sh', '-c', script] }]
    const { requestId } = await submitTestRuns(bench.db, {
      definition: { id: 'talks', name: 'Talks', agents, tests: [passes], limits: { maxTimeSeconds: 4 } },
    })
    const { engine, goDown, comeBack } = startBreakable()
    await waitUntil(isRunning(1), 'the run to start')
    const startedAt = performance.now()
    goDown()
    // The agent ends within two seconds, after the run's time limit. The limit applies to the agent and not to the
    // database.
    await expect.poll(() => performance.now() - startedAt).toBeGreaterThan(5000)
    comeBack()
    const [run] = await untilEnded(bench.db, requestId)
    await engine.stop()
    expect(run).toMatchObject({ status: 'completed', attempt: 1, testsPassed: 1, timeLimitHit: false })
    const transcript = run && (await readTestTranscript(bench.services, run, { limit: 100, includeReasoning: false }))
    expect(transcript?.turns.map(({ text }) => text.trim()).join('\n')).toContain('turn 6')
    expect(await listTestCaptures(bench.db, run?.id ?? '')).toHaveLength(1)
  },
)

test('a run whose commit succeeded but was not acknowledged is settled once and keeps its transcript', async () => {
  const agents = [{ id: 'a', command: ['x'] }]
  await submitTestRuns(bench.db, { definition: { id: 'twice', name: 'Twice', agents } })
  const [claimed] = await claimRuns(bench.db, { workerId: 'w', leaseSeconds: 60 }, 1)
  if (!claimed) throw new Error('nothing to claim')
  const run = { ...claimed, runId: claimed.id }
  const transcript = writeTranscript(bench.services, run, { format: 'text', flushAfterMs: 1 })
  for (const line of ['one\n', 'two\n', 'three\n']) {
    await transcript.write(Buffer.from(line))
    await waitUntil(async () => (await findTestRun(bench.db, run.id)).turnCount > 0, 'a flush')
  }
  const ending = { ...completedRun, transcript: await transcript.close() }
  const before = ending.transcript.segments.length
  expect(await settleRun(bench.services, run, ending)).toBe(true)
  const read = async () =>
    readTestTranscript(bench.services, await findTestRun(bench.db, run.id), { limit: 100, includeReasoning: false })
  const settled = await read()
  expect(settled?.turns.length).toBeGreaterThan(0)
  expect(await settleRun(bench.services, run, ending)).toBe(false)
  expect(await read()).toEqual(settled)
  expect(before).toBeGreaterThan(0)
})

test('a claim whose response was lost returns to the queue and does not count as a loss', async () => {
  const { runIds } = await submitTestRuns(bench.db, {
    definition: { id: 'unknown', name: 'Unknown', agents: [{ id: 'a', command: ['x'] }] },
    repeat: 2,
  })
  const claimed = await claimRuns(bench.db, { workerId: 'w', leaseSeconds: 60 }, 2)
  const [known = ''] = claimed.map(({ id }) => id)
  const workers = { unknownTo: 'w', runIds: [known], requestIds: [] }
  expect(await reclaimLostRuns(bench.services, { workers, givesUp: false })).toBe(1)
  for (const id of runIds) {
    const status = id === known ? 'running' : 'queued'
    expect(await findTestRun(bench.db, id)).toMatchObject({ status, losses: 0 })
  }
})
