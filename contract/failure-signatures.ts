import { z } from 'zod'

import { chartScopeParams } from './chart-scope-params.ts'
import { ChartGroupBy, Population } from './charts.ts'
import { endpoint } from './endpoint.ts'
import { RunStatus } from './run-status.ts'
import { Variant } from './variants.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { listParam } from '#contract/wire/list-param.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const count = z.int().min(0)

/**
 * What a signature is made of. `message`: what a failed test printed. `exit_code` and `test`: a failed test that printed
 * nothing, by its name and its exit code if it has one. `tool_error`: the last tool call of a failed run that reported an
 * error. `agent_exit`: the exit code of the agent. `timeout`: the time limit of a run or a test. `infrastructure`: a run
 * that infrastructure ended. `run_error`: a run that errored for another reason.
 */
export const FailureKind = z.enum([
  'message',
  'exit_code',
  'test',
  'tool_error',
  'agent_exit',
  'timeout',
  'run_error',
  'infrastructure',
])
export type FailureKind = z.infer<typeof FailureKind>

const groupBy = ChartGroupBy.optional()

/** The newest failure with a signature: its run, its test or the turn of its tool call, and what was printed. */
export const FailureExample = z.object({
  id: z.string(),
  runId: z.string(),
  runUuid: z.uuid(),
  testName: z.string().nullable(),
  turn: count.nullable(),
  text: z.string(),
})

/**
 * Failures with one cause. `signature` is its message with numbers, paths, quotes and the like replaced by placeholders,
 * `message` that of the newest failure as it was printed. `tests` counts failed tests; several can be of one run.
 * `testNames` are the first few of `testCount` different tests.
 */
export const FailureSignature = z.object({
  id: z.string(),
  kind: FailureKind,
  signature: z.string(),
  message: z.string(),
  runs: count,
  tests: count,
  testNames: z.array(z.string()),
  testCount: count,
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
  example: FailureExample,
  /** The groups that have it, and how many runs each has on the prompts where it occurs. */
  groups: z.array(z.object({ group: z.string(), runs: count, tests: count, ofRuns: count })),
  /** Groups with runs on these prompts. */
  groupCount: count,
})
export type FailureSignature = z.infer<typeof FailureSignature>

/** `signatures` starts with the one of most runs. `total` counts all, `failedRuns` the runs with any. */
export const FailureSignatureList = Population.extend({
  groups: z.array(z.object({ group: z.string(), runs: count })),
  failedRuns: count,
  total: count,
  signatures: z.array(FailureSignature),
  pendingRuns: count.optional(),
})
export type FailureSignatureList = z.infer<typeof FailureSignatureList>

export const listFailureSignatures = endpoint({
  name: 'failureSignatures.list',
  method: 'GET',
  path: '/experiments/:id/failure-signatures',
  summary: 'Group the failures of an experiment’s runs by their signature',
  query: z.object({
    groupBy,
    ...chartScopeParams,
    kind: listParam(FailureKind),
    limit: limitParam(limits.failureSignatures),
  }),
  response: FailureSignatureList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})

/** A run with a failure of the signature: its first such test, or the turn of the tool call. */
export const FailedRun = Variant.extend({
  id: z.string(),
  runId: z.string(),
  runUuid: z.uuid(),
  runRequestId: z.uuid(),
  group: z.string(),
  versionOrdinal: z.int(),
  repeat: z.int(),
  status: RunStatus,
  mock: z.boolean(),
  testName: z.string().nullable(),
  turn: count.nullable(),
  example: z.string(),
  endedAt: Timestamp,
})
export type FailedRun = z.infer<typeof FailedRun>

/** Most recently ended first. */
export const FailedRunList = z.object({
  groupBy: ChartGroupBy,
  version: z.string(),
  total: count,
  runs: z.array(FailedRun),
  nextPageToken: z.string().optional(),
})
export type FailedRunList = z.infer<typeof FailedRunList>

export const listFailedRuns = endpoint({
  name: 'failureSignatures.runs',
  method: 'GET',
  path: '/experiments/:id/failure-signatures/:signature/runs',
  summary: 'List the runs with a failure signature',
  query: z.object({
    groupBy,
    groupValue: z.string().optional(),
    ...chartScopeParams,
    limit: limitParam(limits.chartRuns),
    pageToken: z.string().optional(),
  }),
  response: FailedRunList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
