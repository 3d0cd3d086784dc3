import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { SolvedCounts } from './outcomes.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const name = z.string().trim().min(1, 'must not be blank').max(250)

/** The state of the source code that a pipeline submitted runs for. */
export const RequestOrigin = z.object({
  commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'must be the hash of a commit'),
  branch: name.optional(),
  /** The number of the pull request or merge request. */
  pullRequest: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional(),
})
export type RequestOrigin = z.infer<typeof RequestOrigin>

const count = z.int().min(0)

/** A request of a pipeline: how many of its runs have ended, and how many are solved of those that count. */
export const RequestOfCommit = z.object({
  id: z.uuid(),
  experimentFingerprint: z.string(),
  ordinal: z.int(),
  origin: RequestOrigin,
  runCount: count,
  endedCount: count,
  solved: SolvedCounts,
  createdAt: Timestamp,
})
export type RequestOfCommit = z.infer<typeof RequestOfCommit>

/** An addition to the API: what a pipeline compares a change with. */
export const listRequestsOfCommits = endpoint({
  name: 'runs.requestsOfCommits',
  method: 'GET',
  path: '/experiments/:id/requests-of-commits',
  summary: 'List the requests that name a commit, newest first',
  query: z.object({ branch: name.optional(), commit: name.optional(), limit: limitParam(limits.requestsOfCommits) }),
  response: z.object({ requests: z.array(RequestOfCommit) }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
