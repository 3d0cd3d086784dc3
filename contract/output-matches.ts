import { z } from 'zod'

import { chartScopeParams } from './chart-scope-params.ts'
import { endpoint } from './endpoint.ts'
import { TurnKind, TurnRole } from './transcripts.ts'
import { Variant } from './variants.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { listParam } from '#contract/wire/list-param.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const count = z.int().min(0)

export const minOutputSearch = 2
const maxOutputSearch = 200

/** What a search of output reads. `endings`: why runs have their status, which has the stderr of agents that failed. */
export const OutputSource = z.enum(['transcripts', 'tests', 'endings'])
export type OutputSource = z.infer<typeof OutputSource>

/**
 * One turn, one output stream of a test, or one reason of a run's status, that contains the searched text. `match` is its
 * first occurrence as it was printed, `before` and `after` the text around it; `occurrences` counts all of them. A turn
 * has `turn`, `role` and `kind`; an output stream has `testName` and `stream`; a reason has only `stream`, which is
 * `stderr` if it is what the agent printed, and null otherwise.
 */
export const OutputMatch = Variant.extend({
  id: z.string(),
  runId: z.string(),
  runUuid: z.uuid(),
  runRequestId: z.uuid(),
  versionOrdinal: z.int(),
  repeat: z.int(),
  mock: z.boolean(),
  endedAt: Timestamp,
  source: OutputSource,
  turn: count.nullable(),
  role: TurnRole.nullable(),
  kind: TurnKind.nullable(),
  tool: z.string().nullable(),
  testName: z.string().nullable(),
  stream: z.enum(['stdout', 'stderr']).nullable(),
  occurrences: count,
  before: z.string(),
  match: z.string(),
  after: z.string(),
})
export type OutputMatch = z.infer<typeof OutputMatch>

/**
 * Matches of the runs that ended last come first; within a run, in the order of its transcript and tests. `searchedRuns`
 * counts the runs that this and earlier pages have read to the end. With `nextPageToken`, more may follow: because the
 * page is full, or, with `stoppedEarly`, because its time was up.
 */
export const OutputMatchList = z.object({
  matches: z.array(OutputMatch),
  searchedRuns: count,
  totalRuns: count,
  stoppedEarly: z.boolean(),
  excludedTestAwareRuns: count,
  version: z.string(),
  pendingRuns: count.optional(),
  nextPageToken: z.string().optional(),
})
export type OutputMatchList = z.infer<typeof OutputMatchList>

export const listOutputMatches = endpoint({
  name: 'outputMatches.list',
  method: 'GET',
  path: '/experiments/:id/output-matches',
  summary: 'Search the transcripts, the test output and the errors of an experiment’s runs',
  query: z.object({
    search: z.string().min(minOutputSearch).max(maxOutputSearch),
    source: listParam(OutputSource),
    include: listParam(z.enum(['reasoning'])),
    ...chartScopeParams,
    limit: limitParam(limits.outputMatches),
    pageToken: z.string().optional(),
  }),
  response: OutputMatchList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found', 'resource_exhausted'],
})
