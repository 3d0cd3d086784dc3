import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { OutcomeCounts } from './outcomes.ts'
import { RunStatus } from './run-status.ts'
import { Run } from './runs.ts'
import { CapturedTest } from './tests.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/**
 * The deprecated result routes (docs/api-choices/legacy-results.md). A result is a run that has ended, with fewer fields
 * than `Run`; `passRate` is 0 to 1, null where no test counted. Money in USD, time in seconds.
 */
export const LegacyResult = Run.pick({
  id: true,
  runRequestId: true,
  experimentId: true,
  experimentFingerprint: true,
  ordinal: true,
  variantId: true,
  agent: true,
  agentMode: true,
  model: true,
  product: true,
  environment: true,
  prompt: true,
  repeat: true,
  mock: true,
  testAware: true,
  costUsd: true,
  wallSeconds: true,
}).extend({
  status: RunStatus.extract(['completed', 'errored', 'canceled']),
  outcomes: OutcomeCounts,
  passRate: z.number().min(0).max(1).nullable(),
  createdAt: Timestamp,
  endedAt: Timestamp.optional(),
})
export type LegacyResult = z.infer<typeof LegacyResult>

export const LegacyResultDetail = LegacyResult.extend({
  tests: z.array(CapturedTest.pick({ testName: true, outcome: true, exitCode: true, durationMs: true })),
})
export type LegacyResultDetail = z.infer<typeof LegacyResultDetail>

export const LegacyResultList = z.object({ results: z.array(LegacyResult), nextPageToken: z.string().optional() })
export type LegacyResultList = z.infer<typeof LegacyResultList>

const since = '2026-11-20T00:00:00Z'

export const listLegacyResults = endpoint({
  name: 'legacyResults.list',
  method: 'GET',
  path: '/results',
  summary: 'List ended runs, most recently submitted first; use the query routes in new clients',
  deprecated: { since, successor: '/runs' },
  query: z.object({
    experimentId: z.string().optional(),
    limit: limitParam(limits.runs),
    pageToken: z.string().optional(),
  }),
  response: LegacyResultList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})

export const getLegacyResult = endpoint({
  name: 'legacyResults.get',
  method: 'GET',
  path: '/results/:id',
  summary: 'Get an ended run by its composite id, with the outcome of each test',
  deprecated: { since, successor: '/runs/:id' },
  response: LegacyResultDetail,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
