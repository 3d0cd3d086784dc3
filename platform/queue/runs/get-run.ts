import type { VerbInput } from '#contract/endpoint.ts'
import { can } from '#contract/permissions.ts'
import { type getRun as endpoint, type RunDetail, RunOrRequest, type RunRequest } from '#contract/runs.ts'
import { isTerminal } from '#contract/run-status.ts'
import { type Task, taskOf } from '#contract/task.ts'
import { limits } from '#contract/wire/limit.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { SharedContext } from '#platform/ground/context/context.ts'
import { SerializedBody } from '#platform/ground/routes/serialized-body.ts'
import { findDesign } from '#platform/queue/decisions/read-decision.ts'
import { loadVersion } from '#platform/inputs/experiments/load-version.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { readTranscript, serializeTranscript } from '#platform/queue/transcripts/read-transcript.ts'
import { listRemovals } from '#platform/queue/run-lookup/describe-removed.ts'
import { findRun, findRunRequest, type FoundRequest, type FoundRun } from '#platform/queue/run-lookup/find-run.ts'
import { withWholeTask } from '#platform/inputs/experiments/with-whole-task.ts'
import { costGuidance } from './cost-guidance.ts'
import { timeLimitGuidance } from './time-limit-guidance.ts'
import {
  findCostLimitsReached,
  findOtherImage,
  findSource,
  findStatusHistory,
  findTimeLimitsReached,
  sumRequest,
} from './store.ts'
import { toRun, toRunRequest } from './to-run.ts'

type Input = VerbInput<typeof endpoint>

/** GET /runs/{id}: returns one run in detail for a composite id, and the roll-up of a run request for any other id. */
export async function getRun(
  context: SharedContext,
  input: Input,
): Promise<RunOrRequest | SerializedBody<RunOrRequest>> {
  guardTranscriptParameters(input)
  if (!isCompositeRunId(input.id)) return { runRequest: await rollUp(context, input.id) }
  const row = await findRun(context, input.id)
  const run = await toDetail(context, row)
  return input.transcript ? withTranscript(context, { row, run }, input) : { run }
}

/** One run in detail, without its transcript. */
export const getRunDetail = async (context: SharedContext, id: string): Promise<RunDetail> =>
  toDetail(context, await findRun(context, id))

function guardTranscriptParameters({ id, transcript, include, limit, afterSeq }: Input) {
  if (transcript && !isCompositeRunId(id)) throw invalid('`transcript=true` requires a composite run id')
  const unsupported = include?.filter((kind) => kind !== 'reasoning') ?? []
  if (unsupported.length > 0) throw invalid(`\`include\`: only "reasoning" is supported, not ${unsupported.join(', ')}`)
  if (transcript) return
  if (include?.length) throw invalid('`include` requires `transcript=true`')
  if (limit !== undefined) throw invalid('`limit` requires `transcript=true`')
  if (afterSeq !== undefined) throw invalid('`after_seq` requires `transcript=true`')
}

async function withTranscript(
  context: SharedContext,
  { row, run }: { row: FoundRun; run: RunDetail },
  input: Input,
): Promise<RunOrRequest | SerializedBody<RunOrRequest>> {
  const transcript = await readTranscript(context, row.run, {
    limit: input.limit ?? limits.transcriptTurns.default,
    afterSeq: input.afterSeq ?? 0,
    includeReasoning: input.include?.includes('reasoning') ?? false,
  })
  if (!transcript) return { run, transcriptStatus: 'unavailable' }
  return new SerializedBody<RunOrRequest>(
    serializeTranscript(transcript),
    RunOrRequest.parse({ run, transcriptStatus: 'available' }),
  )
}

async function toDetail(context: SharedContext, row: FoundRun): Promise<RunDetail> {
  const { organizationId, experimentId, fingerprint, requestId, prompt } = row.run
  const stored = await loadVersion(context.db, { organizationId, experimentId, fingerprint })
  const version = stored && (await withWholeTask(context.db, stored, row.run.environment))
  const promptText = version?.definition.prompts?.find(({ id }) => id === prompt)?.text
  const { request } = await findRunRequest(context, requestId)
  const removals = await listRemovals(context.db, row.run.id)
  const source = await findSource(context.db, row.run.id)
  const history = await findStatusHistory(context.db, row.run.id)
  const { imageDigest: digest, environment } = row.run
  const isKnown = digest !== null && environment !== null
  const ofVersion = { organizationId, experimentId, fingerprint }
  const imageChanged = isKnown ? await findOtherImage(context.db, { ...ofVersion, environment, digest }) : null
  const run = toRun(context, row)
  const task = version && taskOf(version.definition, prompt, row.run.agent)
  const ownLimit = task?.limits.maxCostUsd
  return {
    ...run,
    ...(run.costLimit && {
      costLimit: { ...run.costLimit, scope: run.costLimit.reached ?? (ownLimit === undefined ? 'request' : 'run') },
    }),
    ...(imageChanged && { imageChanged }),
    ...(source && { source }),
    ...(promptText && { promptText }),
    ...stepsOfRun(row.run, task?.steps ?? []),
    ...(row.run.testAwareEvidenceSeq !== null && { testAwareEvidenceSeq: row.run.testAwareEvidenceSeq }),
    flags: request.flags,
    ...(removals.length > 0 && { removals }),
    ...modelUseOf(row.run),
    ...(row.run.reportedUsage && { reportedUsage: row.run.reportedUsage }),
    ...earlierAttemptsOf(row.run),
    statusHistory: history.map(({ status, at, reason, infrastructureCause, attempt }) => ({
      status,
      at,
      attempt,
      ...(reason && { reason }),
      ...(infrastructureCause && { infrastructureCause }),
    })),
  }
}

/** Every step of its task, also those that did not start. */
function stepsOfRun({ steps, status }: FoundRun['run'], defined: Task['steps']): Pick<RunDetail, 'steps'> {
  if (defined.length === 0) return {}
  const records = new Map((steps ?? []).map((record) => [record.id, record]))
  return {
    steps: defined.map(({ id, text }) => ({
      ...(isTerminal(status) && { end: 'not_started' as const }),
      reason: null,
      seconds: null,
      agentExitCode: null,
      firstSeq: null,
      scores: [],
      ...records.get(id),
      id,
      text,
    })),
  }
}

const earlierAttemptsOf = ({ earlierCostUsd: costUsd, earlierSeconds: seconds }: FoundRun['run']) =>
  costUsd + seconds > 0 ? { earlierAttempts: { costUsd, seconds } } : {}

/** Runs without the model gateway have none. */
function modelUseOf(run: FoundRun['run']): Pick<RunDetail, 'modelUse'> {
  if (run.modelCallCount === null) return {}
  const hasCalls = run.modelCallCount > 0
  return {
    modelUse: {
      callCount: run.modelCallCount,
      hasEstimates: run.hasEstimatedTokens ?? false,
      measured: {
        costUsd: run.measuredCostUsd,
        inputTokens: hasCalls ? run.inputTokens : 0,
        outputTokens: hasCalls ? run.outputTokens : 0,
      },
      reported: {
        costUsd: run.reportedCostUsd,
        inputTokens: run.reportedInputTokens,
        outputTokens: run.reportedOutputTokens,
      },
    },
  }
}

async function rollUp(context: SharedContext, id: string): Promise<RunRequest> {
  const row = await findRunRequest(context, id)
  const totals = await sumRequest(context.db, row.request.id)
  const mayHaveReached = totals.timedOutCount > 0 || totals.statusCounts.errored > 0
  return toRunRequest(row, totals, {
    guidance: mayHaveReached ? await requestGuidance(context, row.request) : [],
    untilDecided: await findDesign(context.db, row.request.id),
  })
}

/** One advice for each limit that runs of the request reached, because prompts can have limits of their own. */
async function requestGuidance(context: SharedContext, { id, experimentId }: FoundRequest['request']) {
  const reached = await findTimeLimitsReached(context.db, id)
  const mayAct = can(context.organization).write
  const costs = await findCostLimitsReached(context.db, id)
  return [
    ...reached.flatMap((limit) => timeLimitGuidance({ ...limit, experimentId, hit: true, mayAct })),
    ...costs.flatMap((limit) => costGuidance({ ...limit, experimentId, mayAct })),
  ]
}
