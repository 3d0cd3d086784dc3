import { type Column, sql } from 'drizzle-orm'

/** The columns of a run that its sort values are computed from. */
type RunColumns<Of extends Column> = Record<
  | 'endedAt'
  | 'status'
  | 'variantId'
  | 'agent'
  | 'model'
  | 'product'
  | 'environment'
  | 'prompt'
  | 'experimentId'
  | 'ordinal'
  | 'repeat'
  | 'testsPassed'
  | 'testsFailed'
  | 'testsUnresolved'
  | 'testsErrored'
  | 'agentExitCode'
  | 'costUsd'
  | 'wallSeconds'
  | 'totalTokens'
  | 'toolCalls'
  | 'toolFailures'
  | 'requestId'
  | 'triggeredBy',
  Of
>

/** Sorts by code point, so that the order is the same in every database. */
const byCodePoint = (column: Column) => sql`(${column} collate "C")`

/** Passed ÷ counted tests, as `passRate` of the contract. */
const passRate = (run: RunColumns<Column>) =>
  sql`(${run.testsPassed}::float8 / nullif(${run.testsPassed} + ${run.testsFailed} + ${run.testsUnresolved} + ${run.testsErrored}, 0))`

/** The values that lists of runs are sorted by. Each has an index of the ended runs, so that a page does not read every run. */
export const runOrder = <Of extends Column>(run: RunColumns<Of>) => ({
  ended: run.endedAt,
  status: byCodePoint(run.status),
  variant: byCodePoint(run.variantId),
  agent: byCodePoint(run.agent),
  model: byCodePoint(run.model),
  product: byCodePoint(run.product),
  environment: byCodePoint(run.environment),
  prompt: byCodePoint(run.prompt),
  experiment: byCodePoint(run.experimentId),
  version: run.ordinal,
  repeat: run.repeat,
  pass_rate: passRate(run),
  exit_code: run.agentExitCode,
  cost: run.costUsd,
  seconds: run.wallSeconds,
  tokens: run.totalTokens,
  tool_calls: run.toolCalls,
  tool_failures: run.toolFailures,
  request: run.requestId,
  submitter: run.triggeredBy,
})

/** The values with an index of ended runs only. The status has one of all runs, because counts by status read it. */
export function orderOfEnded<Of extends Column>(run: RunColumns<Of>) {
  const { status: _status, ...ofEnded } = runOrder(run)
  return ofEnded
}
