import type { Services } from '#platform/context.ts'
import type { ManagedKeys } from '#platform/credits/terms.ts'
import { costOf } from '#platform/prices/cost-of.ts'
import type { ModelPrices } from '#platform/prices/model-prices.ts'
import type { TestCapture } from '#platform/tests/record-tests.ts'
import { type TranscriptEnd, writeTranscript } from '#platform/transcripts/write-transcript.ts'
import type { RunRow } from './claim-runs.ts'
import { showsTestAwareness } from './classify-test-aware.ts'
import { openCommandDriver } from './drivers/command.ts'
import type { Driver } from './drivers/driver.ts'
import { openMockDriver } from './drivers/mock.ts'
import { planRun, type RunPlan } from './plan-run.ts'
import { RunFailure } from './run-failure.ts'
import { unresolvedTest } from './run-test.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { RunEnding } from './settle-run.ts'

export type Executor = Pick<Services, 'db' | 'blobs' | 'keys'> & {
  sandbox: Sandbox
  prices: ModelPrices
  managedKeys?: ManagedKeys | undefined
}

/** Why a claimed run is stopped: `abandoned` when the lease is lost or the worker goes down, and nothing may be written. */
export type StopReason = 'canceled' | 'abandoned'

/** What is known of a run while it goes on; its ending is read off it, wherever it stops. */
type Progress = {
  agentNote: string | null
  transcript: TranscriptEnd | null
  testAwareEvidenceSeq: number | null
  wallSeconds: number | null
  tests: TestCapture[]
}

/**
 * Takes a claimed run through its beats: set up, agent, tests. Null when it was abandoned. `signal` aborts with a
 * StopReason. Throws only what is our own fault. `folder` is free for the run to use.
 */
export async function executeRun(
  executor: Executor,
  run: RunRow,
  { signal, folder }: { signal: AbortSignal; folder: string },
): Promise<RunEnding | null> {
  const progress: Progress = {
    agentNote: null,
    transcript: null,
    testAwareEvidenceSeq: null,
    wallSeconds: null,
    tests: [],
  }
  let plan: RunPlan | null = null
  const budget = new AbortController()
  let failure: string | null = null
  try {
    plan = await planRun(executor, run)
    await runBeats(executor, plan, { signal, budget, folder, progress })
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error
    failure = plan ? plan.masker.text(error.message) : error.message
  }
  if (signal.aborted && signal.reason !== 'canceled') return null
  const timeLimitHit = budget.signal.aborted && !signal.aborted
  return {
    ...endingStatus({ isCanceled: signal.aborted, timeLimitHit, failure, plan, progress }),
    tests: [...progress.tests, ...testsThatNeverRan(plan, progress)],
    transcript: progress.transcript,
    testAwareEvidenceSeq: progress.testAwareEvidenceSeq,
    wallSeconds: progress.wallSeconds,
    timeBudgetSeconds: plan?.budgetSeconds ?? null,
    timeLimitHit,
  }
}

type Course = { signal: AbortSignal; budget: AbortController; folder: string; progress: Progress }

async function runBeats(executor: Executor, plan: RunPlan, { signal, budget, folder, progress }: Course) {
  const driver = plan.run.mock ? openMockDriver(plan) : await openCommandDriver(plan, { ...executor, folder })
  // From here on it is cleared, whatever happens; a forgotten one would hold the run in memory for as long as its budget.
  const timer = setTimeout(() => budget.abort(), plan.budgetSeconds * 1000)
  const bounded = AbortSignal.any([signal, budget.signal])
  try {
    await driver.setUp(bounded)
    if (bounded.aborted) return
    await converse(executor, plan, driver, { bounded, progress })
    clearTimeout(timer)
    if (bounded.aborted) return
    for (const test of plan.tests) {
      const captures = await driver.runTest(test, signal)
      if (signal.aborted) return
      progress.tests.push(...captures)
    }
  } finally {
    clearTimeout(timer)
    await driver.dispose()
  }
}

type Conversation = { bounded: AbortSignal; progress: Progress }

async function converse(executor: Executor, plan: RunPlan, driver: Driver, { bounded, progress }: Conversation) {
  const transcript = writeTranscript(
    executor,
    { runId: plan.run.id, attempt: plan.run.attempt },
    {
      format: plan.format,
      mask: plan.masker.text,
      onTurn: (turn) => {
        if (showsTestAwareness(turn)) progress.testAwareEvidenceSeq ??= turn.seq
      },
    },
  )
  const startedAt = performance.now()
  try {
    progress.agentNote = await driver.runAgent(transcript.write, bounded)
  } finally {
    progress.wallSeconds = (performance.now() - startedAt) / 1000
    progress.transcript = withCost(await transcript.close(), executor.prices, plan.run.model)
  }
}

/** The agent's own report of its cost wins over the price table. */
function withCost(end: TranscriptEnd, prices: ModelPrices, model: string | null): TranscriptEnd {
  const { measures, cached } = end
  if (measures.costUsd !== null) return end
  const { inputTokens: input, outputTokens: output } = measures
  const costUsd = costOf(prices, model, { input, output, cacheRead: cached.read, cacheWrite: cached.write })
  return { ...end, measures: { ...measures, costUsd } }
}

/** Tests that were still to come when the run stopped: with its reason they tell why, as outcomes they are unresolved. */
function testsThatNeverRan(plan: RunPlan | null, progress: Progress) {
  const ran = new Set(progress.tests.map((test) => test.name))
  const isDone = (name: string) => ran.has(name) || progress.tests.some((test) => test.name.startsWith(`${name}/`))
  return (plan?.tests ?? []).filter((test) => !isDone(test.name)).map((test) => unresolvedTest(test.name))
}

type Observed = {
  isCanceled: boolean
  timeLimitHit: boolean
  failure: string | null
  plan: RunPlan | null
  progress: Progress
}

function endingStatus({ isCanceled, timeLimitHit, failure, plan, progress }: Observed) {
  if (isCanceled) return { status: 'canceled' as const, statusReason: 'Canceled' }
  if (timeLimitHit)
    return { status: 'errored' as const, statusReason: `Time limit of ${plan?.budgetSeconds} s reached` }
  if (failure !== null) return { status: 'errored' as const, statusReason: failure }
  return { status: 'completed' as const, statusReason: progress.agentNote }
}
