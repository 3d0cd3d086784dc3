import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Span } from '@opentelemetry/api'

import { readOutage } from '#platform/ground/failures/outage.ts'
import { retryDuringOutages } from '#platform/ground/failures/retry-during-outages.ts'
import { runSeconds, runsSettled } from '#platform/ground/metrics/metrics.ts'
import type { BuildRow } from '#platform/queue/run-queue/claim-builds.ts'
import type { RunRow } from '#platform/queue/run-queue/claim-runs.ts'
import { executeBuild } from './execute-build.ts'
import { executeRun, type Executor, type ExecutedRun, type Slot, type StopReason } from './execute-run.ts'
import { buildClaim, runClaim } from '#platform/queue/run-queue/renew-leases.ts'
import { settleBuild } from '#platform/queue/run-queue/settle-build.ts'
import { settleTogether } from '#platform/queue/run-queue/settle-together.ts'
import type { ModelUse } from '#platform/queue/run-queue/run-ending.ts'
import { traced } from '#platform/ground/tracing/traced.ts'

/** A claimed run or build in progress. `id` is the UUID of the run, or for a build the UUID of its request. */
type Job = { kind: 'run' | 'build'; id: string; claim: string; stop: (reason: StopReason) => void; done: Promise<void> }

export type Jobs = ReturnType<typeof createJobs>

type Hooks = {
  workFolder: string
  onError: (error: unknown, about: string) => void
  /** Called after a run has ended for good. */
  onEnd: () => void
  /** Called after a claim is returned to the queue without an end of the run. */
  onDrop: () => void
  /** Called after a slot becomes free. */
  onFree: () => void
}

const outagePauseMs = 10_000

/** Creates the jobs of one worker. */
export function createJobs(executor: Executor, { workFolder, onError, onEnd, onDrop, onFree }: Hooks) {
  const jobs = new Map<string, Job>()
  let executing = 0
  let settling = 0
  const settleRun = settleTogether(executor, () => executing > 0)
  let folderCount = 0

  const start = (job: Pick<Job, 'kind' | 'id' | 'claim'>, work: (slot: Slot) => Promise<void>) => {
    const stopped = new AbortController()
    const abandoned = new AbortController()
    folderCount += 1
    const folder = join(workFolder, String(folderCount))
    const done = work({ signal: stopped.signal, abandoned: abandoned.signal, folder })
      .catch((error: unknown) => onError(error, `The worker failed during ${job.claim}`))
      .finally(() => {
        jobs.delete(job.claim)
        onFree()
      })
    const stop = (reason: StopReason) => {
      stopped.abort(reason)
      if (reason === 'abandoned') abandoned.abort()
    }
    jobs.set(job.claim, { ...job, done, stop })
  }

  /** Waits before it drops the claim, because a database that does not answer now is still down a moment later. */
  const dropLater = async ({ abandoned }: Slot) => {
    await delay(outagePauseMs, undefined, { signal: abandoned }).catch(() => {})
    onDrop()
    return null
  }

  return {
    active: () => [...jobs.values()],
    /** The slots that are free. The next run starts while the end of the one before it is written, but at most one. */
    free: (slots: number) => Math.min(slots - jobs.size + settling, 2 * slots - jobs.size),
    startRun(run: RunRow) {
      const work = async (slot: Slot, span: Span) => {
        const startedAt = performance.now()
        let models: ModelUse | null = null
        const onModelUse = (use: ModelUse | null) => void (models = use)
        executing += 1
        const ending = await executeRun(executor, run, slot, onModelUse)
          .catch(async (error: unknown) => {
            onError(error, `The worker failed during run ${run.id}`)
            if (readOutage(error)) return dropLater(slot)
            return slot.abandoned.aborted ? null : { ...workerFailure, models }
          })
          .finally(() => (executing -= 1))
        const heldSeconds = (performance.now() - startedAt) / 1000
        if (!ending) return
        const settle = () => settleRun({ ...run, runId: run.id }, { ...ending, heldSeconds })
        settling += 1
        onFree()
        const isSettled = await traced('settle', {}, () => retryDuringOutages(settle, slot.abandoned)).finally(
          () => (settling -= 1),
        )
        runSeconds.observe(heldSeconds)
        const status = isSettled ? ending.status : 'lost'
        runsSettled.inc({ status })
        span.setAttribute('assay.run.status', status)
        if (isSettled) onEnd()
      }
      const about = { 'assay.run.id': run.id, 'assay.run.attempt': run.attempt, 'assay.run.mock': run.mock }
      start({ kind: 'run', id: run.id, claim: runClaim(run.id, run.attempt) }, (slot) =>
        traced('run', about, (span) => work(slot, span)),
      )
    },
    startBuild(build: BuildRow) {
      const claim = buildClaim(build.requestId, build.environment, build.attempt)
      start({ kind: 'build', id: build.requestId, claim }, async (slot) => {
        const about = { 'assay.submission.id': build.requestId, 'assay.build.attempt': build.attempt }
        const ending = await traced('build', about, () => executeBuild(executor, build, slot))
        if (!ending) return
        const isSettled = await retryDuringOutages(() => settleBuild(executor.db, build, ending), slot.abandoned)
        if (isSettled && ending.failure !== null) onEnd()
      })
    },
    abandonAll() {
      for (const job of jobs.values()) job.stop('abandoned')
    },
    allDone: () => Promise.all([...jobs.values()].map((job) => job.done)),
  }
}

const workerFailure: ExecutedRun = {
  status: 'errored',
  statusReason: 'The run engine failed; see its log for the cause',
  infrastructure: { cause: 'worker_failed', isTransient: true },
  tests: [],
  transcript: null,
  testAwareEvidenceSeq: null,
  wallSeconds: null,
  timeBudgetSeconds: null,
  timeLimitHit: false,
}
