import { type Column, sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import type { InfrastructureCause } from '#contract/infrastructure.ts'
import type { RequestOrigin } from '#contract/request-origins.ts'
import type { RunStatus } from '#contract/run-status.ts'
import type { StepRecord } from '#contract/run-steps.ts'
import type { ReportedUsage } from '#contract/run-usage.ts'
import type { CostLimitScope, SpendKind } from '#contract/runs.ts'
import type { RunScore } from '#contract/scores.ts'
import { defaultRetries } from '#contract/task-fields.ts'
import type { UnknownLines } from '#contract/transcripts.ts'
import type { StopReason } from '#contract/until-decided.ts'
import { changedIn, instant, tokenCount } from '#platform/ground/database/columns.ts'
import { organizationReference } from './identity.ts'
import { orderOfEnded, runOrder } from './run-order.ts'

/** One submission: its version and its variants. */
export const runRequests = pgTable(
  'run_requests',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    experimentId: text().notNull(),
    fingerprint: text().notNull(),
    ordinal: integer().notNull(),
    triggeredBy: uuid().notNull(),
    variantIds: jsonb().$type<string[]>().notNull(),
    repeat: integer().notNull(),
    flags: jsonb().$type<string[]>().notNull(),
    mock: boolean().notNull(),
    /** The most that the model calls of its runs may cost together. */
    maxCostUsd: doublePrecision(),
    /** The commit that a pipeline submitted it for. */
    origin: jsonb().$type<RequestOrigin>(),
    createdAt: instant().notNull(),
  },
  (table) => [index('run_requests_newest').on(table.organizationId, table.experimentId, table.createdAt)],
)

const hasEnded = ({ endedAt }: { endedAt: Column }) => sql`${endedAt} is not null`
const hasExited = ({ agentExitCode }: { agentExitCode: Column }) => sql`${agentExitCode} is not null`

/**
 * One run, and its entry in the queue. A worker claims it by taking the lease. Every later write of that worker must
 * name the claimed `attempt` (the fencing token), so a worker without the lease can change nothing. `losses` counts the
 * attempts that infrastructure ended, but not those that ended when their worker stopped in order.
 */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    requestId: uuid()
      .notNull()
      .references(() => runRequests.id),
    compositeId: text().notNull(),
    experimentId: text().notNull(),
    fingerprint: text().notNull(),
    ordinal: integer().notNull(),
    triggeredBy: uuid().notNull(),
    variantId: text().notNull(),
    agent: text().notNull(),
    agentMode: text(),
    model: text(),
    product: text(),
    environment: text(),
    prompt: text(),
    /** The digest of the image in which the run executes, once it is known; null without an image. */
    imageDigest: text(),
    repeat: integer().notNull(),
    mock: boolean().notNull(),

    status: text().$type<RunStatus>().notNull(),
    statusReason: text(),
    /** Why its request stopped, if that canceled the run; null for a run that a person canceled. */
    stopReason: text().$type<StopReason>(),
    /** The exit code of the agent; null if it did not exit by itself, or if it is not known. */
    agentExitCode: integer(),
    attempt: integer().notNull().default(0),
    losses: integer().notNull().default(0),
    /** How often the run may start again after infrastructure ended an attempt. */
    retries: integer().notNull().default(defaultRetries),
    /** Why infrastructure ended the run; null for all other runs, and for runs from before causes were recorded. */
    infrastructureCause: text().$type<InfrastructureCause>(),
    /** A queued run is not claimed before this time; null for at once. */
    claimableAt: instant(),
    /** The charged seconds and model costs of the attempts before the current one. */
    earlierSeconds: doublePrecision().notNull().default(0),
    earlierCostUsd: doublePrecision().notNull().default(0),
    leaseOwner: text(),
    leaseExpiresAt: instant(),
    cancelRequestedAt: instant(),

    timeBudgetSeconds: doublePrecision(),
    timePlanCapSeconds: doublePrecision(),
    timeLimitHit: boolean(),

    testsPassed: integer().notNull().default(0),
    testsFailed: integer().notNull().default(0),
    testsUnresolved: integer().notNull().default(0),
    testsErrored: integer().notNull().default(0),
    testsSkipped: integer().notNull().default(0),
    /** The named numbers that its tests gave it. A list, because every reader of a run needs all of them. */
    scores: jsonb()
      .$type<RunScore[]>()
      .notNull()
      .default(sql`'[]'`),
    /** The steps of its task that started; null for a task without steps. */
    steps: jsonb().$type<StepRecord[]>(),
    testAware: boolean().notNull().default(false),
    testAwareEvidenceSeq: integer(),
    costUsd: doublePrecision(),
    spendKind: text().$type<SpendKind>().notNull().default('managed'),
    wallSeconds: doublePrecision(),
    toolCalls: integer(),
    toolFailures: integer(),
    inputTokens: tokenCount(),
    outputTokens: tokenCount(),
    totalTokens: tokenCount(),
    /** Calls that the model gateway measured; null for a run without the gateway. */
    modelCallCount: integer(),
    measuredCostUsd: doublePrecision(),
    /** Whether some of the measured tokens are estimates, because an answer was cut. */
    hasEstimatedTokens: boolean(),
    /** What the agent said, where the measured values replace it. */
    reportedCostUsd: doublePrecision(),
    reportedInputTokens: tokenCount(),
    reportedOutputTokens: tokenCount(),
    /** The models that the agent names, and amounts that are known in part. */
    reportedUsage: jsonb().$type<ReportedUsage>(),
    costLimitUsd: doublePrecision(),
    /** The cost limit that ended the run. */
    costLimitHit: text().$type<CostLimitScope>(),

    transcriptPublished: boolean().notNull().default(false),
    turnCount: integer().notNull().default(0),
    reasoningTurnCount: integer().notNull().default(0),
    skippedMalformed: integer().notNull().default(0),
    /** Lines that the transcript format does not know; null if there are none. */
    unknownLines: jsonb().$type<UnknownLines>(),

    /** The tags that people put on the run itself, sorted. */
    tags: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Whether somebody disputes the measured outcome. */
    disputed: boolean().notNull().default(false),
    /** How many places the labels of the run ever used in the analytics engine. */
    labelSlots: integer().notNull().default(0),

    createdAt: instant().notNull(),
    startedAt: instant(),
    endedAt: instant(),
    statusUpdatedAt: instant().notNull(),
    changedIn: changedIn(),
  },
  (table) => [
    uniqueIndex('runs_composite_id').on(table.organizationId, table.compositeId),
    index('runs_newest').on(table.organizationId, table.createdAt, table.id),
    index('runs_of_experiment').on(table.organizationId, table.experimentId, table.createdAt),
    index('runs_changed').on(table.organizationId, table.changedIn),
    index('runs_of_request').on(table.requestId),
    index('runs_ended_by_infrastructure')
      .on(table.organizationId, table.infrastructureCause)
      .where(sql`${table.infrastructureCause} is not null`),
    index('runs_unfinished')
      .on(table.requestId)
      .where(sql`${table.status} in ('queued', 'waiting_for_ci', 'running')`),
    index('runs_disputed')
      .on(table.organizationId)
      .where(sql`${table.disputed}`),
    index('runs_queue').on(table.status, table.organizationId, table.requestId, table.id),
    // The runs that have not ended, which are few.
    index('runs_open')
      .on(table.organizationId)
      .where(sql`${table.endedAt} is null`),
    // In the collation in which lists sort by it; every count by status reads it.
    index('runs_by_status').on(table.organizationId, runOrder(table).status, table.createdAt, table.id),
    // Counts by status of the runs of a model or an agent read only these.
    index('runs_of_model').on(table.organizationId, table.model, table.status),
    index('runs_of_agent').on(table.organizationId, table.agent, table.status),
    // Without runs that have not ended, because each claim would write all of these indexes. The one by exit code also
    // serves the filter by exit code.
    ...Object.entries(orderOfEnded(table)).map(([name, value]) =>
      index(`ended_runs_by_${name}`)
        .on(table.organizationId, value, table.createdAt, table.id)
        .where(name === 'exit_code' ? sql`${hasEnded(table)} or ${hasExited(table)}` : hasEnded(table)),
    ),
  ],
)

export const runReference = () =>
  uuid()
    .notNull()
    .references(() => runs.id)

/** Every status of a run, in order. */
export const runStatusChanges = pgTable(
  'run_status_changes',
  {
    runId: runReference(),
    seq: integer().notNull(),
    status: text().$type<RunStatus>().notNull(),
    reason: text(),
    /** Why infrastructure ended this attempt. */
    infrastructureCause: text().$type<InfrastructureCause>(),
    attempt: integer().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.seq] })],
)

/** A part of a run's transcript, turns first_seq to last_seq, stored as one blob of JSON lines. */
export const transcriptSegments = pgTable(
  'transcript_segments',
  {
    runId: runReference(),
    attempt: integer().notNull(),
    firstSeq: integer().notNull(),
    lastSeq: integer().notNull(),
    turnCount: integer().notNull(),
    reasoningTurnCount: integer().notNull(),
    blobKey: text().notNull(),
    imageKeys: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.runId, table.attempt, table.firstSeq] })],
)

/** The build of one environment for one request. Its runs are waiting_for_ci until it has passed. */
export const ciBuilds = pgTable(
  'ci_builds',
  {
    requestId: uuid()
      .notNull()
      .references(() => runRequests.id),
    environment: text().notNull(),
    status: text().$type<'queued' | 'running' | 'passed' | 'failed'>().notNull(),
    reason: text(),
    outputTail: text(),
    /** The digest of the environment's image, once it is known. Its runs use this image, even if the tag moves. */
    imageDigest: text(),
    /** Likewise of the images of its services, by their names. */
    serviceDigests: jsonb().$type<Record<string, string>>(),
    attempt: integer().notNull().default(0),
    losses: integer().notNull().default(0),
    /** A queued build is not claimed before this time; null for at once. */
    claimableAt: instant(),
    leaseOwner: text(),
    leaseExpiresAt: instant(),
    createdAt: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.requestId, table.environment] }),
    index('ci_builds_queue').on(table.status, table.createdAt),
  ],
)
