import { asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import {
  findTestRun,
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
} from '#platform/program/testing/test-run-engine.ts'
import { cancelRunsOf } from './end-or-request-cancel.ts'
import { claimRuns } from './claim-runs.ts'
import type { RunEnding } from './run-ending.ts'
import { settleTogether } from './settle-together.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

const capture = { outcome: 'passed', exitCode: 0, durationMs: 1.5, stdoutTail: '', stderrTail: '' } as const

const ending = (changes: Partial<RunEnding> = {}): RunEnding => ({
  status: 'completed',
  statusReason: null,
  tests: [
    { ...capture, name: 'first' },
    { ...capture, name: 'second', outcome: 'failed', exitCode: 1, durationMs: null },
  ],
  transcript: null,
  testAwareEvidenceSeq: null,
  wallSeconds: 0.1 + 0.2,
  heldSeconds: 1,
  timeBudgetSeconds: 60,
  timeLimitHit: false,
  ...changes,
})

async function claim(repeat: number) {
  const { requestId } = await submitTestRuns(bench.db, {
    definition: { id: 'together', name: 'Together', agents: [{ id: 'a', command: ['x'] }] },
    repeat,
  })
  const claimed = await claimRuns(bench.db, { workerId: 'w', leaseSeconds: 60 }, repeat)
  return { requestId, claimed: claimed.map((run) => ({ ...run, runId: run.id })) }
}

/** Counts the transactions that are opened on the database itself. */
function counted() {
  let transactions = 0
  const db: Database = Object.create(bench.db, {
    transaction: {
      value: (...given: Parameters<Database['transaction']>) => {
        transactions += 1
        return bench.db.transaction(...given)
      },
    },
  })
  return { services: { ...bench.services, db }, transactions: () => transactions }
}

test('runs that end in the same moment are written in one transaction, each with all of its own values', async () => {
  const { services, transactions } = counted()
  const settle = settleTogether(services)
  const { claimed } = await claim(20)
  const endings = claimed.map((_, index) =>
    ending({
      statusReason: `run \ud800${index}`,
      ...(index % 2 === 0 && {
        status: 'errored' as const,
        infrastructure: { cause: 'disk_full', isTransient: false },
      }),
      ...(index === 3 && { imageDigest: 'sha256:3' }),
    }),
  )
  const settled = await Promise.all(claimed.map((run, index) => settle(run, endings[index] ?? ending())))
  expect(settled).toEqual(claimed.map(() => true))
  expect(transactions()).toBe(1)
  for (const [index, { id }] of claimed.entries()) {
    expect(await findTestRun(bench.db, id)).toMatchObject({
      status: index % 2 === 0 ? 'errored' : 'completed',
      statusReason: `run \ufffd${index}`,
      infrastructureCause: index % 2 === 0 ? 'disk_full' : null,
      imageDigest: index === 3 ? 'sha256:3' : null,
      wallSeconds: 0.1 + 0.2,
      testsPassed: 1,
      testsFailed: 1,
      leaseOwner: null,
    })
    const captures = await listTestCaptures(bench.db, id)
    expect(captures.map(({ name, durationMs }) => [name, durationMs])).toEqual([
      ['first', 1.5],
      ['second', null],
    ])
    const history = await bench.db
      .select()
      .from(runStatusChanges)
      .where(eq(runStatusChanges.runId, id))
      .orderBy(asc(runStatusChanges.seq))
    expect(history.map(({ status }) => status)).toEqual([
      'queued',
      'running',
      index % 2 === 0 ? 'errored' : 'completed',
    ])
  }
  expect(await bench.db.select().from(analyticsOutbox)).toHaveLength(20)
})

test('a run that cannot be written fails alone', async () => {
  const settle = settleTogether(bench.services)
  const { claimed } = await claim(5)
  const tooLarge = ending({ tests: [{ ...capture, name: 'a', exitCode: 2 ** 40 }] })
  const settled = await Promise.allSettled(claimed.map((run, index) => settle(run, index === 2 ? tooLarge : ending())))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  const statuses = await Promise.all(claimed.map(async ({ id }) => (await findTestRun(bench.db, id)).status))
  expect(statuses).toEqual(['completed', 'completed', 'running', 'completed', 'completed'])
})

test('a row that another transaction keeps locked delays only its own run', async () => {
  const busy = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  const { claimed } = await claim(4)
  const lockedId = claimed[1]?.id
  let together = 0
  const db: Database = Object.create(bench.db, {
    transaction: {
      value: async (work: Parameters<Database['transaction']>[0]) => {
        together += 1
        // The first has all four, the third has the locked one alone.
        if (together === 1 || together === 3) throw busy
        return bench.db.transaction(work)
      },
    },
  })
  const settle = settleTogether({ ...bench.services, db })
  const settled = await Promise.allSettled(claimed.map((run) => settle(run, ending())))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect((await findTestRun(bench.db, lockedId ?? '')).status).toBe('running')
})

test('one transaction can end, cancel, requeue and refuse runs', async () => {
  const settle = settleTogether(bench.services)
  const { requestId, claimed } = await claim(4)
  const [done, canceled, again, lost] = claimed
  if (!done || !canceled || !again || !lost) throw new Error('too few runs')
  await bench.db.transaction((tx) => cancelRunsOf(tx, { requestId, runIds: [canceled.id] }))
  const outage = ending({ status: 'errored', infrastructure: { cause: 'provider_outage', isTransient: true } })
  expect(
    await Promise.all([
      settle(done, ending()),
      settle(canceled, ending()),
      settle(again, outage),
      settle({ ...lost, attempt: lost.attempt - 1 }, ending()),
    ]),
  ).toEqual([true, true, true, false])
  const statuses = await Promise.all(claimed.map(async ({ id }) => (await findTestRun(bench.db, id)).status))
  expect(statuses).toEqual(['completed', 'canceled', 'queued', 'running'])
})
