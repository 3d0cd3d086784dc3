import { join } from 'node:path'

import type { BuildRow } from './claim-builds.ts'
import type { RunRow } from './claim-runs.ts'
import { executeBuild } from './execute-build.ts'
import { executeRun, type Executor, type StopReason } from './execute-run.ts'
import { buildClaim, runClaim } from './renew-leases.ts'
import { settleBuild } from './settle-build.ts'
import { type RunEnding, settleRun } from './settle-run.ts'

/** One claimed run or build in work; `id` is the run's UUID, or for a build its request's. */
type Job = { kind: 'run' | 'build'; id: string; claim: string; stop: (reason: StopReason) => void; done: Promise<void> }

export type Jobs = ReturnType<typeof createJobs>

type Hooks = {
  workFolder: string
  onError: (error: unknown, about: string) => void
  /** A run has ended for good. */
  onEnd: () => void
  /** A slot is free again. */
  onFree: () => void
}

/** The jobs one worker has in hand. */
export function createJobs(executor: Executor, { workFolder, onError, onEnd, onFree }: Hooks) {
  const jobs = new Map<string, Job>()
  let folderCount = 0

  const start = (
    job: Pick<Job, 'kind' | 'id' | 'claim'>,
    work: (place: { signal: AbortSignal; folder: string }) => Promise<void>,
  ) => {
    const controller = new AbortController()
    folderCount += 1
    const folder = join(workFolder, String(folderCount))
    const done = work({ signal: controller.signal, folder })
      .catch((error: unknown) => onError(error, `The worker failed at ${job.claim}`))
      .finally(() => {
        jobs.delete(job.claim)
        onFree()
      })
    jobs.set(job.claim, { ...job, done, stop: (reason) => controller.abort(reason) })
  }

  return {
    active: () => [...jobs.values()],
    startRun(run: RunRow) {
      start({ kind: 'run', id: run.id, claim: runClaim(run.id, run.attempt) }, async (place) => {
        const ending = await executeRun(executor, run, place).catch((error: unknown) => {
          onError(error, `The worker failed at run ${run.id}`)
          return place.signal.aborted ? null : internalFailure
        })
        if (ending && (await settleRun(executor, { ...run, runId: run.id }, ending))) onEnd()
      })
    },
    startBuild(build: BuildRow) {
      const claim = buildClaim(build.requestId, build.environment, build.attempt)
      start({ kind: 'build', id: build.requestId, claim }, async (place) => {
        const ending = await executeBuild(executor, build, place)
        if (ending && (await settleBuild(executor.db, build, ending)) && ending.failure !== null) onEnd()
      })
    },
    abandonAll() {
      for (const job of jobs.values()) job.stop('abandoned')
    },
    allDone: () => Promise.all([...jobs.values()].map((job) => job.done)),
  }
}

const internalFailure: RunEnding = {
  status: 'errored',
  statusReason: 'The run engine failed; its log has the cause',
  tests: [],
  transcript: null,
  testAwareEvidenceSeq: null,
  wallSeconds: null,
  timeBudgetSeconds: null,
  timeLimitHit: false,
}
