import { ContentStopped } from '#platform/ground/content/content-job.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { ManagedKeys } from '#platform/ground/services/credit-terms.ts'
import type { EgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { retryDuringOutages } from '#platform/ground/failures/retry-during-outages.ts'
import type { ModelPrices } from '#platform/ground/models/model-prices.ts'
import { withOwnPrices } from '#platform/ground/models/own-prices.ts'
import { priceUsage } from '#platform/queue/transcripts/price-usage.ts'
import { createOutputReader } from '#platform/queue/transcripts/output-reader.ts'
import { readOutputApart } from '#platform/queue/transcripts/read-output-apart.ts'
import { type PartStart, writeTranscript } from '#platform/queue/transcripts/write-transcript.ts'
import type { RunRow } from '#platform/queue/run-queue/claim-runs.ts'
import { createClock } from './create-clock.ts'
import { asFailure, diskFailure, isDiskFull } from './full-disk.ts'
import {
  hasFailed,
  type LimitReason,
  noProgress,
  type Progress,
  testsThatNeverRan,
  withDecidingTests,
} from '#platform/engine/run-engine/steps/run-progress.ts'
import { endingStatus } from './ending-status.ts'
import { storeChanges } from '#platform/queue/changes/store-changes.ts'
import type { Driver } from '#platform/engine/run-engine/drivers/driver.ts'
import { openCommandDriver } from '#platform/engine/run-engine/drivers/command-driver.ts'
import { openMockDriver } from '#platform/engine/run-engine/drivers/mock-driver.ts'
import type { ModelGateway } from '#platform/engine/run-engine/models/start-model-gateway.ts'
import { recordServices } from '#platform/queue/network/record-services.ts'
import { recordTraffic } from '#platform/queue/network/record-traffic.ts'
import type { Recording } from '#platform/queue/network/write-while-changing.ts'
import type { OpenTraces, Traces } from '#platform/engine/run-engine/traces/open-traces.ts'
import type { LoadPinned } from '#platform/engine/run-engine/plan/load-pinned.ts'
import { planRun, type RunPlan } from '#platform/engine/run-engine/plan/plan-run.ts'
import type { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { runInSteps } from '#platform/engine/run-engine/steps/run-in-steps.ts'
import { scoresOfSteps } from '#platform/engine/run-engine/steps/step-rewards.ts'
import type { RunPlaces } from '#platform/engine/images/run-place.ts'
import { traced } from '#platform/ground/tracing/traced.ts'
import type { ModelUse, RunEnding } from '#platform/queue/run-queue/run-ending.ts'

export type Executor = Pick<Services, 'db' | 'blobs' | 'keys'> & {
  places: RunPlaces
  prices: ModelPrices
  managedKeys?: ManagedKeys | undefined
  modelGateway: ModelGateway
  openTraces: OpenTraces
  egress: EgressSettings
  loadPinned: LoadPinned
  /** Whether mock runs take about as long as an agent would let people wait. */
  mockPauses: boolean
}

/**
 * Why a claimed run is stopped. After `abandoned` (the lease is lost or the worker shuts down), nothing may be written.
 */
export type StopReason = 'canceled' | 'abandoned'

/**
 * Where a run or build executes. `signal` aborts with a StopReason. `abandoned` aborts when nothing may be written any
 * more, even after an earlier cancel. `folder` is free to use.
 */
export type Slot = { signal: AbortSignal; abandoned: AbortSignal; folder: string }

/** How a run ended, without the time its worker held it. */
export type ExecutedRun = Omit<RunEnding, 'heldSeconds'>

/** Called with the measured use of models, which is charged even if the run fails afterwards. */
type OnModelUse = (use: ModelUse | null) => void

/**
 * Executes a claimed run: setup, agent, tests. Returns null if the run was abandoned. Throws only for faults of the
 * platform; a database or disk that fails for a while is not one.
 */
export async function executeRun(
  executor: Executor,
  run: RunRow,
  { signal, abandoned, folder }: Slot,
  onModelUse: OnModelUse = () => {},
): Promise<ExecutedRun | null> {
  const progress = noProgress()
  let plan: RunPlan | null = null
  const budget = new AbortController()
  let failure: RunFailure | null = null
  try {
    plan = await traced('plan', {}, () => retryDuringOutages(() => planRun(executor, run), signal))
    await runPhases(executor, plan, { signal, abandoned, budget, folder, progress, onModelUse })
  } catch (error) {
    const found = await asFailure(error, folder)
    if (!found) {
      await progress.transcriptWriter?.publish().catch(() => {})
      throw error
    }
    failure = plan ? found.withReason(plan.masker.text(found.message)) : found
  }
  const isPublished = await progress.transcriptWriter?.handOver()
  if (signal.aborted && signal.reason !== 'canceled') return null
  const limit = budget.signal.aborted && !signal.aborted ? (budget.signal.reason as LimitReason) : null
  return {
    ...endingStatus({ isCanceled: signal.aborted, limit, failure, plan, progress }),
    tests: withDecidingTests(plan, progress, [...progress.tests, ...testsThatNeverRan(plan, progress)]),
    ...(plan && plan.task.steps.length > 0 && { steps: progress.steps }),
    scores: scoresOfSteps(progress.steps, plan?.task.stepReward ?? 'mean'),
    transcript: progress.transcript && { ...progress.transcript, isPublished: isPublished ?? true },
    imageDigest: progress.imageDigest,
    testAwareEvidenceSeq: progress.testAwareEvidenceSeq,
    changes: progress.changes,
    agentExitCode: progress.agent.exitCode,
    wallSeconds: progress.wallSeconds,
    timeBudgetSeconds: plan?.budgetSeconds ?? null,
    timeLimitHit: limit === 'time',
    models: progress.modelUse,
  }
}

type Phases = Slot & { budget: AbortController; progress: Progress; onModelUse: OnModelUse }

async function runPhases(executor: Executor, plan: RunPlan, phases: Phases) {
  const { signal, abandoned, budget, folder, progress, onModelUse } = phases
  const stop = (reason: LimitReason) => budget.abort(reason)
  const models = await executor.modelGateway.openModels(plan, {
    hasOwnNetwork: executor.places.hasOwnNetwork,
    abandoned,
    onLimit: (reason) => stop({ cost: reason }),
  })
  let traces: Traces | null = null
  const endModels = async () => {
    // A second call only shortens the time.
    const hurry = () => void models?.close(lastCallsMs(phases)).catch(() => {})
    const ends = [signal, abandoned]
    for (const end of ends) end.addEventListener('abort', hurry)
    try {
      await models?.close(lastCallsMs(phases))
      await traces?.close()
    } finally {
      for (const end of ends) end.removeEventListener('abort', hurry)
      progress.modelUse = models?.use() ?? null
      progress.outage = models?.outage() ?? null
      onModelUse(progress.modelUse)
    }
  }
  const attempt = { runId: plan.run.id, attempt: plan.run.attempt }
  const clock = createClock(plan.budgetSeconds, () => stop('time'))
  let driver: Driver | undefined
  let recordings: Recording[] = []
  const bounded = AbortSignal.any([signal, budget.signal])
  try {
    if (bounded.aborted) return
    traces = await executor.openTraces(plan, { hasOwnNetwork: executor.places.hasOwnNetwork, abandoned })
    driver = plan.run.mock
      ? openMockDriver(plan, { pauses: executor.mockPauses, startClock: clock.start })
      : await openCommandDriver(plan, { ...executor, ...phases, models, traces, startClock: clock.start })
    progress.imageDigest = driver.imageDigest
    recordings = [
      recordTraffic(executor.db, attempt, driver.traffic, plan.masker.hostName),
      ...(plan.services.length > 0 ? [recordServices(executor.db, attempt, driver.services)] : []),
    ]
    const opened = driver
    await traced('set up', {}, () => opened.setUp(bounded))
    if (bounded.aborted) return
    let haveAgentsEnded = false
    const endAgents = async () => {
      if (haveAgentsEnded) return
      haveAgentsEnded = true
      await endModels()
      if (signal.aborted) return
      if (plan.task.isolateTests) await opened.endProcesses()
      // Also after a timeout: what the agent did until then is evidence.
      progress.changes = await traced('keep changes', {}, () =>
        keepChanges(executor, plan, opened, { signal, progress }),
      )
    }
    const isOutage = () => (models?.outage() ?? null) !== null
    await converse(executor, plan, driver, { bounded, signal, abandoned, progress, isOutage, endAgents })
    await endAgents()
    if (bounded.aborted) return
    if (hasFailed(progress) && (await isDiskFull(folder))) throw diskFailure()
    if (progress.outage !== null && hasFailed(progress)) return
    for (const test of plan.task.lastTests) {
      const captures = await traced('test', {}, () => opened.runTest(test, signal))
      if (signal.aborted) return
      progress.tests.push(...captures)
    }
  } finally {
    clock.stop()
    try {
      if (driver && !bounded.aborted) progress.notes.push(...driver.notes())
      await driver?.dispose()
    } finally {
      await endModels().finally(() => Promise.all(recordings.map((recording) => recording.end(abandoned))))
    }
  }
}

async function keepChanges(
  executor: Executor,
  { run }: RunPlan,
  driver: Driver,
  { signal, progress }: Pick<Phases, 'signal' | 'progress'>,
) {
  try {
    const parts = driver.findChanges(signal)
    return parts && (await storeChanges(executor, { runId: run.id, attempt: run.attempt }, parts, signal))
  } catch (error) {
    if (!(error instanceof ContentStopped)) throw error
    progress.notes.push(
      `The changes of the workspace are not recorded, because comparing it was stopped: ${error.message}`,
    )
    return null
  }
}

/**
 * The time that model calls in flight get to end after the agent, so that what they cost is measured. Of the calls that
 * are cut then, what they may have cost is charged. A canceled run waits less, because a person is waiting too.
 */
const lastCallsMs = ({ signal, abandoned }: Pick<Slot, 'signal' | 'abandoned'>) => {
  if (abandoned.aborted || (signal.aborted && signal.reason !== 'canceled')) return 0
  return signal.aborted ? 15_000 : 60_000
}

/** A mock run prints what this process made. What an agent prints is read elsewhere. */
const outputReader = ({ run, format, masker }: RunPlan, start: PartStart) =>
  run.mock ? createOutputReader({ format, ...start }) : readOutputApart({ format, secrets: masker.secrets, ...start })

type Conversation = Pick<Phases, 'signal' | 'abandoned' | 'progress'> & {
  bounded: AbortSignal
  isOutage: () => boolean
  endAgents: () => Promise<void>
}

/** Runs the agent, or the steps of a task with their agents and tests. */
async function converse(executor: Executor, plan: RunPlan, driver: Driver, conversation: Conversation) {
  const { bounded, abandoned, progress } = conversation
  const transcript = writeTranscript(
    executor,
    { runId: plan.run.id, attempt: plan.run.attempt },
    {
      format: plan.format,
      openReader: (start) => outputReader(plan, start),
      abandoned,
      price: (report) => priceUsage(report, withOwnPrices(executor.prices, plan.ownPrices), plan.run.model),
    },
  )
  progress.transcriptWriter = transcript
  const startedAt = performance.now()
  try {
    if (plan.task.steps.length > 0) return await runInSteps(plan, driver, { ...conversation, transcript })
    progress.hasAgentStarted = true
    progress.agent = await traced('agent', {}, () => driver.runAgent(transcript.write, bounded))
  } finally {
    progress.wallSeconds = progress.agent.seconds ?? (performance.now() - startedAt) / 1000
    const { cutBecause, evidenceSeq, ...end } = await transcript.close()
    progress.transcript = end
    progress.testAwareEvidenceSeq = evidenceSeq
    if (cutBecause !== null)
      progress.notes.push(`The transcript is cut, because reading the agent’s output was stopped: ${cutBecause}`)
  }
}
