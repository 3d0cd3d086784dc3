import type { ResultColumn } from '#contract/queries.ts'
import { paths } from '#src/paths.ts'

const runId = /^\S+::[0-9a-f][0-9a-f-]{7,35}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where a value leads: a composite run id to its run, ids of requests and experiments by the name of their column. */
export function cellHref({ name }: ResultColumn, value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (runId.test(value)) return paths.run(value)
  if (name === 'run_request_id' && uuid.test(value)) return paths.run(value)
  if (name === 'experiment_id' && value !== '') return paths.experiment(value)
  return null
}

/** The run a whole row is about, if one is named in it. */
export function runHrefOfRow(row: readonly unknown[]): string | null {
  const ids = row.filter((value): value is string => typeof value === 'string' && runId.test(value))
  return ids[0] !== undefined && ids.length === 1 ? paths.run(ids[0]) : null
}
