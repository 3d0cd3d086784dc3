import type { CallInput } from '#contract/endpoint.ts'
import { listRuns, type RunResult } from '#contract/run-list.ts'
import type { Run } from '#contract/runs.ts'
import { table } from '#client/terminal/table.ts'
import type { Verb } from '#client/work.ts'
import { seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { passedOf } from './passed-of.ts'
import { readNumber } from './submit-request.ts'

export type ListOptions = {
  experiment?: string
  request?: string
  status?: string[]
  result?: RunResult[]
  limit: string
}

export const listRunsOf =
  (options: ListOptions): Verb =>
  async ({ api, show }) => {
    const list = await (await api()).call(listRuns, toFilters(options))
    show(list, list.runs.length === 0 ? 'No runs match' : runTable(list.runs))
  }

function toFilters({ experiment, request, status, result, limit }: ListOptions): CallInput<typeof listRuns> {
  return {
    limit: readNumber('--limit', limit),
    ...(experiment !== undefined && { experimentId: experiment }),
    ...(request !== undefined && { runRequestId: request }),
    ...(status && { status }),
    ...(result && { result }),
  }
}

const runTable = (runs: readonly Run[]) =>
  table(
    ['RUN', 'STATUS', 'PASSED', 'TIME', 'COST'],
    runs.map((run) => [run.runId, run.status, passedOf(run), seconds(run.wallSeconds), usd(run.costUsd)]),
  )
