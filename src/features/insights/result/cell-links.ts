import type { ResultColumn } from '#contract/queries.ts'
import { paths } from '#src/paths.ts'

const runId = /^\S+::[0-9a-f][0-9a-f-]{7,35}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The link of a value: composite run ids link to their run; ids of requests and experiments are recognized by column
 * name.
 */
export function cellHref({ name }: ResultColumn, value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (runId.test(value)) return paths.run(value)
  if (name === 'run_request_id' && uuid.test(value)) return paths.run(value)
  if (name === 'experiment_id' && value !== '') return paths.experiment(value)
  return null
}

/** The link of the run that a row is about, if the row contains its id. */
export function runHrefOfRow(row: readonly unknown[]): string | null {
  const ids = row.filter((value): value is string => typeof value === 'string' && runId.test(value))
  return ids[0] !== undefined && ids.length === 1 ? paths.run(ids[0]) : null
}
