import type { ObservedRun } from './check-runs.ts'
import type { Violation } from './violation.ts'

/** A worker that was killed or frozen, and the attempts it had then. `at` is in milliseconds since 1970. */
export type LostWorker = { cause: 'kill' | 'freeze'; at: number; attempts: { runId: string; attempt: number }[] }

/** A time in which workers could not reach their database, or only slowly. */
export type Outage = { from: number; to: number }

export type Requeue = { runId: string; cause: LostWorker['cause']; seconds: number; afterOutages: number }

/**
 * How long it took until each attempt of a lost worker was over. While the database does not answer, no worker can renew
 * its lease, so nobody counts as lost then: `afterOutages` starts when the last outage in between has ended.
 */
export function measureRequeues(
  lost: readonly LostWorker[],
  runs: readonly ObservedRun[],
  outages: readonly Outage[],
): Requeue[] {
  const byId = new Map(runs.map((run) => [run.id, run]))
  return lost.flatMap(({ cause, at, attempts }) =>
    attempts.flatMap(({ runId, attempt }) => {
      const history = byId.get(runId)?.history ?? []
      const over = history.find((change) => change.attempt === attempt && change.status !== 'running')
      if (!over) return []
      const overAt = Date.parse(over.at)
      const start = outages
        .filter(({ from, to }) => from < overAt && to > at)
        .reduce((latest, { to }) => Math.max(latest, Math.min(to, overAt)), at)
      return [{ runId, cause, seconds: (overAt - at) / 1000, afterOutages: (overAt - start) / 1000 }]
    }),
  )
}

export const checkRequeues = (requeues: readonly Requeue[], limitSeconds: number): Violation[] =>
  requeues
    .filter(({ afterOutages }) => afterOutages > limitSeconds)
    .map(({ runId, cause, seconds, afterOutages }) => ({
      kind: 'slow',
      text: `Run ${runId} waited ${seconds.toFixed(1)} s after the ${cause} of its worker, ${afterOutages.toFixed(1)} s of it with a database`,
    }))
