import { isTerminal } from '#contract/run-status.ts'
import type { Run, RunRequest, StatusCounts } from '#contract/runs.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { can } from '#contract/permissions.ts'
import type { FoundRequest } from '#platform/queue/run-lookup/find-run.ts'
import { costGuidance } from './cost-guidance.ts'
import { timeLimitGuidance } from './time-limit-guidance.ts'
import type { countRunsByStatus, RunRow } from './list-store.ts'
import type { RequestTotals } from './store.ts'
import { toOutcomes } from './to-outcomes.ts'

const noRuns: StatusCounts = { queued: 0, waiting_for_ci: 0, running: 0, completed: 0, errored: 0, canceled: 0 }

export const toStatusCounts = (rows: Awaited<ReturnType<typeof countRunsByStatus>>): StatusCounts => ({
  ...noRuns,
  ...Object.fromEntries(rows.map(({ status, runs }) => [status, runs])),
})

/** Converts a row to the wire format. `timeLimit` is absent for runs dispatched before time limits were recorded. */
export function toRun(
  context: Pick<Context, 'organization'>,
  { run, computeUsd, experimentName, triggeredBy }: RunRow,
): Run {
  const { timeBudgetSeconds, timePlanCapSeconds, timeLimitHit } = run
  const mayAct = can(context.organization).write
  const timeLimit =
    timeBudgetSeconds === null
      ? undefined
      : { budgetSeconds: timeBudgetSeconds, planCapSeconds: timePlanCapSeconds ?? 0, hit: timeLimitHit ?? false }
  return {
    id: run.compositeId,
    runId: run.compositeId,
    runUuid: run.id,
    runRequestId: run.requestId,
    experimentId: run.experimentId,
    experimentName,
    experimentFingerprint: run.fingerprint,
    ordinal: run.ordinal,
    variantId: run.variantId,
    agent: run.agent,
    agentMode: run.agentMode,
    model: run.model,
    product: run.product,
    environment: run.environment,
    prompt: run.prompt,
    ...(run.imageDigest && { imageDigest: run.imageDigest }),
    repeat: run.repeat,
    status: run.status,
    ...(run.statusReason && { statusReason: run.statusReason }),
    ...(run.infrastructureCause && { infrastructureCause: run.infrastructureCause }),
    ...(run.claimableAt && !isTerminal(run.status) && { claimableAt: run.claimableAt }),
    ...(run.agentExitCode !== null && { agentExitCode: run.agentExitCode }),
    mock: run.mock,
    testAware: run.testAware,
    ...(run.tags.length > 0 && { tags: run.tags }),
    ...(run.disputed && { disputed: true }),
    triggeredBy,
    outcomes: toOutcomes(run),
    ...(run.scores.length > 0 && { scores: run.scores }),
    costUsd: run.costUsd,
    ...(computeUsd !== null && { computeUsd }),
    spendKind: run.spendKind,
    wallSeconds: run.wallSeconds,
    toolCalls: run.toolCalls,
    toolFailures: run.toolFailures,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    totalTokens: run.totalTokens,
    ...(timeLimit && { timeLimit }),
    ...(run.costLimitUsd !== null && { costLimit: { maxCostUsd: run.costLimitUsd, reached: run.costLimitHit } }),
    guidance: [
      ...timeLimitGuidance({
        experimentId: run.experimentId,
        prompts: run.prompt === null ? [] : [run.prompt],
        hit: timeLimitHit ?? false,
        budgetSeconds: timeBudgetSeconds,
        mayAct,
      }),
      ...costGuidance({
        experimentId: run.experimentId,
        hit: run.costLimitHit,
        maxCostUsd: run.costLimitUsd ?? 0,
        mayAct,
      }),
    ],
    createdAt: run.createdAt,
    ...(run.startedAt && { startedAt: run.startedAt }),
    ...(run.endedAt && { endedAt: run.endedAt }),
    statusUpdatedAt: run.statusUpdatedAt,
  }
}

export function toRunRequest(
  { request, experimentName, triggeredBy }: FoundRequest,
  totals: RequestTotals,
  { guidance, untilDecided }: Pick<RunRequest, 'guidance' | 'untilDecided'>,
): RunRequest {
  const { organizationId: _, fingerprint, maxCostUsd, origin, ...facts } = request
  return {
    ...facts,
    ...(maxCostUsd !== null && { maxCostUsd }),
    ...(origin && { origin }),
    ...(untilDecided && { untilDecided }),
    ...totals,
    experimentName,
    experimentFingerprint: fingerprint,
    triggeredBy,
    variantCount: request.variantIds.length,
    guidance,
    statusUpdatedAt: totals.statusUpdatedAt ?? request.createdAt,
  }
}
