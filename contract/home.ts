import { z } from 'zod'

import { ContextKind } from './context-kinds.ts'
import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { LeftOutRuns } from './infrastructure.ts'
import { SolvedCounts } from './outcomes.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const count = z.int().min(0)

/** A run request as Home shows it. */
const RequestLine = z.object({
  id: z.uuid(),
  experimentId: z.string(),
  experimentName: z.string(),
  ordinal: z.int(),
  mock: z.boolean(),
  triggeredBy: Actor,
  createdAt: Timestamp,
  runCount: count,
})

/** `startedAt` is when the first of its runs started, absent while all of them wait. */
export const UnfinishedRequest = RequestLine.extend({
  finishedCount: count,
  runningCount: count,
  startedAt: Timestamp.optional(),
})
export type UnfinishedRequest = z.infer<typeof UnfinishedRequest>

/** `groups` are its agents and models, as many as vary, in the order of their names. */
export const FinishedRequest = RequestLine.extend({
  endedAt: Timestamp,
  erroredCount: count,
  /** Runs that are left out, by cause. They are errored, and `solved` leaves them out. */
  leftOutRuns: LeftOutRuns,
  solved: SolvedCounts,
  groups: z.array(SolvedCounts.extend({ group: z.string() })),
})
export type FinishedRequest = z.infer<typeof FinishedRequest>

/**
 * A test that passes more or less often in a version of some variants than in the one before it, by more than chance among
 * all tests. `mayBeChance` if not: then all runs of one version passed it and all of the other failed it, which are few.
 */
export const FlippedTest = z.object({
  test: z.string(),
  passes: z.boolean(),
  mayBeChance: z.boolean().optional(),
  variantIds: z.array(z.string()),
})
export type FlippedTest = z.infer<typeof FlippedTest>

const ChangedExperiment = z.object({
  experimentId: z.string(),
  experimentName: z.string(),
  fromOrdinal: z.int(),
  toOrdinal: z.int(),
  /** The fingerprints of the two versions. */
  fromVersion: z.string(),
  toVersion: z.string(),
  /** When the later version got its first result. */
  changedAt: Timestamp,
  flippedTests: z.array(FlippedTest),
})

const Edited = z.object({ id: z.string(), title: z.string(), updatedBy: Actor, updatedAt: Timestamp })

/** An addition to the API: everything that Home shows of an organization, in one answer. */
export const HomeView = z.object({
  unfinished: z.array(UnfinishedRequest),
  latest: z.array(FinishedRequest),
  /** Only with `since`. Each list has the newest few. */
  changes: z
    .object({
      finishedRequests: z.array(FinishedRequest),
      experiments: z.array(ChangedExperiment),
      savedQueries: z.array(Edited),
      reports: z.array(Edited),
    })
    .optional(),
  attention: z.object({
    /** The tests that flipped in the newest versions of the experiments with the newest results. */
    changedExperiments: z.array(ChangedExperiment),
    /** Experiments' newest finished requests that have runs that errored. */
    erroredRequests: z.array(FinishedRequest),
    /** Only for admins, oldest first. */
    pendingSuggestions: z
      .array(z.object({ id: z.uuid(), kind: ContextKind, targetId: z.string(), author: Actor }))
      .optional(),
  }),
  /** The parts of the demo that are still there; absent in an organization without a demo. */
  demo: z
    .object({
      experimentIds: z.array(z.string()),
      savedQueryIds: z.array(z.string()),
      reportId: z.string().optional(),
      hasSuggestion: z.boolean(),
      hasSecret: z.boolean(),
    })
    .optional(),
})
export type HomeView = z.infer<typeof HomeView>

export const getHome = endpoint({
  name: 'home.get',
  method: 'GET',
  path: '/home',
  summary: 'What runs, what changed and what needs attention in the organization',
  query: z.object({ since: Timestamp.optional() }),
  response: HomeView,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})
