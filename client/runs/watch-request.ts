import { cancelRuns, getRun, type Run, type RunRequest } from '#contract/runs.ts'
import { isTerminal, runStatuses, type RunStatus } from '#contract/run-status.ts'
import { listRuns } from '#contract/run-list.ts'
import { counted } from '#contract/wire/counted.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError, type ExitCode, exitCodes } from '#client/exit-codes.ts'
import { liveText } from '#client/terminal/live-text.ts'
import { table } from '#client/terminal/table.ts'
import type { Work } from '#client/work.ts'
import { ApiError } from '#src/api/errors.ts'
import { seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { passedOf } from './passed-of.ts'
import { describeRequest } from './show-run.ts'

const pollMs = 1500
const shownRuns = 12
/** The server may be away for a restart. */
const mostFailures = 20

/** Shows a request until all its runs have ended, and how they ended. */
export async function watchRequest(work: Work, caller: ApiCaller, id: string): Promise<ExitCode> {
  const request = await waitForRequest(work, caller, id)
  if (!request) return exitCodes.interrupted
  const { errored, canceled, completed } = request.statusCounts
  const next = completed > 0 ? `\nSee the leaderboard with: assay results ${request.experimentId}` : ''
  work.show(request, `${describeRequest(request)}${next}`)
  return errored + canceled > 0 ? exitCodes.no : exitCodes.done
}

/**
 * Waits until all runs of a request have ended, and shows them meanwhile: a table that changes on a terminal, else a line per
 * change. Null if a person stopped it.
 */
export async function waitForRequest(work: Work, caller: ApiCaller, id: string): Promise<RunRequest | null> {
  const { io } = work
  const newView = () => (io.isTerminal && !work.isJson ? liveTable(work, caller) : plainLines(work))
  let view = newView()
  const interrupt = watchInterrupts(work)
  try {
    for (;;) {
      const request = await readRequest(caller, io.wait, id)
      const left = unfinishedOf(request)
      await view(request)
      if (left === 0) return request
      if (interrupt.wasPressed()) {
        if (!(await isCanceled(work, caller, { id, left }))) return null
        interrupt.reset()
        // The question is below the table, which therefore cannot be replaced.
        view = newView()
      }
      await io.wait(pollMs, interrupt.signal()).catch(() => {})
    }
  } finally {
    interrupt.stop()
  }
}

function watchInterrupts({ io }: Work) {
  let pressed = new AbortController()
  const stop = io.onInterrupt(() => pressed.abort())
  return {
    stop,
    signal: () => pressed.signal,
    wasPressed: () => pressed.signal.aborted,
    reset: () => void (pressed = new AbortController()),
  }
}

async function readRequest(caller: ApiCaller, wait: Work['io']['wait'], id: string): Promise<RunRequest> {
  for (let failures = 0; ; failures += 1) {
    try {
      const { runRequest } = await caller.call(getRun, { id })
      if (!runRequest) throw new CommandError(`${id} is a run. Give the id of its request`)
      return runRequest
    } catch (error) {
      const mayPass = error instanceof ApiError && (error.code === 'unreachable' || error.status >= 500)
      if (!mayPass || failures >= mostFailures) throw error
      await wait(pollMs)
    }
  }
}

/** Asks at a terminal whether to cancel; elsewhere nobody can answer, and the runs continue. */
async function isCanceled({ io, note }: Work, caller: ApiCaller, { id, left }: { id: string; left: number }) {
  const answer = io.isTerminal ? await io.ask(`Cancel the ${counted(left, 'run')} that have not ended? [y/N] `) : ''
  if (/^y(es)?$/i.test(answer.trim())) {
    await caller.call(cancelRuns, { id })
    return true
  }
  note(`The runs continue. See them with:\nassay show ${id}`)
  return false
}

export const unfinishedOf = ({ statusCounts }: Pick<RunRequest, 'statusCounts'>) =>
  runStatuses.filter((status) => !isTerminal(status)).reduce((sum, status) => sum + statusCounts[status], 0)

const countsText = ({ statusCounts, runCount }: RunRequest) => {
  const parts = runStatuses
    .filter((status) => statusCounts[status] > 0)
    .map((status) => `${statusCounts[status]} ${status}`)
  return `${counted(runCount, 'run')}: ${parts.join(', ')}`
}

function plainLines({ note }: Work) {
  let last = ''
  return async (request: RunRequest) => {
    const line = countsText(request)
    if (line !== last) note(line)
    last = line
  }
}

/** As wide as the usual values, so that columns stay where they are. */
const liveHeads = ['VARIANT', 'REPEAT', 'STATUS   ', 'PASSED', '  TIME', '   COST']

/** Of a run in progress; the clock of the server may differ a little. */
function elapsedSeconds({ status, startedAt }: Run) {
  if (status !== 'running' || startedAt === undefined) return null
  return Math.max(1, Math.round((Date.now() - Date.parse(startedAt)) / 1000))
}

/** Runs in progress come first, then those that ended last. */
function liveTable({ io }: Work, caller: ApiCaller) {
  const live = liveText(io)
  const order: Partial<Record<RunStatus, number>> = { running: 0, queued: 2, waiting_for_ci: 2 }
  return async (request: RunRequest) => {
    const { runs } = await caller.call(listRuns, { runRequestId: request.id, sort: '-status', limit: shownRuns * 2 })
    const first = runs.toSorted((a, b) => (order[a.status] ?? 1) - (order[b.status] ?? 1)).slice(0, shownRuns)
    const rows = first.map((run) => [
      run.variantId,
      run.repeat,
      run.status,
      passedOf(run),
      seconds(run.wallSeconds ?? elapsedSeconds(run)),
      usd(run.costUsd),
    ])
    const more =
      request.runCount > first.length ? `… and ${counted(request.runCount - first.length, 'more run')}\n` : ''
    live.show(`${countsText(request)}\n${table(liveHeads, rows)}${more}`)
    if (unfinishedOf(request) === 0) live.clear()
  }
}
