import { isTerminal, type RunStatus } from '#contract/run-status.ts'
import type { Violation } from './violation.ts'

export type StatusChange = { seq: number; status: RunStatus; attempt: number; at: string }

export type ObservedRun = {
  id: string
  requestId: string
  status: RunStatus
  attempt: number
  losses: number
  retries: number
  infrastructureCause: string | null
  reason: string | null
  tests: number
  turnCount: number
  /** The turns of its transcript's segments, and how many segments belong to an earlier attempt. */
  segmentTurns: number
  staleSegments: number
  history: StatusChange[]
}

/** A request that was canceled as a whole, and when the answer arrived. */
export type AcknowledgedCancel = { requestId: string; at: string }

/** The statuses that may follow each status. A run returns to `queued` when an attempt is lost. */
const next: Record<RunStatus, readonly RunStatus[]> = {
  queued: ['running', 'canceled', 'errored'],
  waiting_for_ci: ['queued', 'canceled', 'errored'],
  running: ['queued', 'completed', 'errored', 'canceled'],
  completed: [],
  errored: [],
  canceled: [],
}

/** Checks that each run has one legal history, one end, and the results of one attempt. */
export function checkRuns(
  runs: readonly ObservedRun[],
  { testsPerRun, cancels }: { testsPerRun: number; cancels: readonly AcknowledgedCancel[] },
): Violation[] {
  const canceledAt = new Map(cancels.map(({ requestId, at }) => [requestId, at]))
  return runs.flatMap((run) => [
    ...checkHistory(run),
    ...checkEnd(run),
    ...checkResults(run, testsPerRun),
    ...checkCancel(run, canceledAt.get(run.requestId)),
  ])
}

function checkHistory({ id, history }: ObservedRun): Violation[] {
  const found: Violation[] = []
  const illegal = (text: string) => found.push({ kind: 'illegal', text: `Run ${id} ${text}` })
  const [first] = history
  if (!first) illegal('has no history')
  else if (first.attempt !== 0 || (first.status !== 'queued' && first.status !== 'waiting_for_ci'))
    illegal(`starts as ${first.status} with attempt ${first.attempt}`)
  for (const [index, change] of history.entries()) {
    if (change.seq !== index + 1) illegal(`has ${change.seq} as change ${index + 1} of its history`)
    const before = history[index - 1]
    if (!before) continue
    if (!next[before.status].includes(change.status)) illegal(`went from ${before.status} to ${change.status}`)
    const attempt = before.attempt + (change.status === 'running' ? 1 : 0)
    if (change.attempt !== attempt)
      illegal(`is ${change.status} in attempt ${change.attempt} after ${before.status} in ${before.attempt}`)
    if (change.at < before.at) illegal(`is ${change.status} at ${change.at}, before it was ${before.status}`)
  }
  return found
}

function checkEnd(run: ObservedRun): Violation[] {
  const { id, status, attempt, history } = run
  const ends = history.filter((change) => isTerminal(change.status))
  const last = history.at(-1)
  const found: Violation[] = []
  if (ends.length > 1) found.push({ kind: 'doubled', text: `Run ${id} ended ${ends.length} times` })
  if (!isTerminal(status)) found.push({ kind: 'stuck', text: `Run ${id} is still ${status} in attempt ${attempt}` })
  if (last && (last.status !== status || last.attempt !== attempt))
    found.push({
      kind: 'illegal',
      text: `Run ${id} is ${status} in attempt ${attempt}, but its history ends with ${last.status} in ${last.attempt}`,
    })
  // Every command of the workload works, so only infrastructure may end a run, and only when it used up its retries.
  if (status === 'errored' && (run.infrastructureCause === null || run.losses < run.retries))
    found.push({ kind: 'lost', text: `Run ${id} errored after ${run.losses} losses: ${run.reason}` })
  return found
}

function checkResults({ id, status, tests, turnCount, ...run }: ObservedRun, testsPerRun: number): Violation[] {
  const found: Violation[] = []
  if (isTerminal(status) && tests !== testsPerRun)
    found.push({
      kind: tests < testsPerRun ? 'lost' : 'doubled',
      text: `Run ${id} (${status}) has ${tests} tests instead of ${testsPerRun}`,
    })
  if (run.segmentTurns !== turnCount)
    found.push({
      kind: run.segmentTurns < turnCount ? 'lost' : 'doubled',
      text: `Run ${id} has ${run.segmentTurns} turns in its segments, but counts ${turnCount}`,
    })
  if (run.staleSegments > 0)
    found.push({ kind: 'doubled', text: `Run ${id} has ${run.staleSegments} segments of an earlier attempt` })
  return found
}

function checkCancel({ id, history }: ObservedRun, canceledAt: string | undefined): Violation[] {
  if (canceledAt === undefined) return []
  const started = history.find(({ status, at }) => status === 'running' && at > canceledAt)
  return started ? [{ kind: 'illegal', text: `Run ${id} started at ${started.at}, after it was canceled` }] : []
}
