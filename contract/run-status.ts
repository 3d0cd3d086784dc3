import { z } from 'zod'

export const RunStatus = z.enum(['queued', 'waiting_for_ci', 'running', 'completed', 'errored', 'canceled'])
export type RunStatus = z.infer<typeof RunStatus>

export const runStatuses = RunStatus.options

const terminal: ReadonlySet<RunStatus> = new Set(['completed', 'errored', 'canceled'])

export const isTerminal = (status: RunStatus) => terminal.has(status)

/** What may be done to a run in each status; the platform guards with it and the button explains itself with it. */
export const runCan = {
  cancel: (run: { status: RunStatus }) => !isTerminal(run.status),
} as const

/** Reads the status filter: `failed` is the deprecated alias of `errored`; unrecognized values are ignored. */
export const readStatusFilter = (values: readonly string[]): RunStatus[] => {
  const known = values
    .map((value) => (value === 'failed' ? 'errored' : value))
    .filter((value) => RunStatus.safeParse(value).success)
  return [...new Set(known)] as RunStatus[]
}
