import { countOutcomes } from '#contract/outcomes.ts'
import type { Variant } from '#contract/variants.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import { shortHash } from '#platform/ground/ids/stable-id.ts'
import type { EndedRun } from '#platform/queue/run-queue/record-ended-runs.ts'
import type { ResultRun } from './result-run.ts'

/** The values shared by the runs of one batch. */
type RunOrigin = Pick<
  EndedRun,
  'organizationId' | 'requestId' | 'experimentId' | 'fingerprint' | 'ordinal' | 'triggeredBy'
> & { batchTime: string }

export type Place = { id: string; variant: Variant; repeat: number }

/** The row of a run: ended, with what its tool measured and null for the rest. */
export function toEndedRun({ batchTime, ...origin }: RunOrigin, { id, variant, repeat }: Place, read: ResultRun) {
  const counts = countOutcomes(read.tests.map((test) => test.outcome))
  const endedAt = read.endedAt ?? read.startedAt ?? batchTime
  const { transcript, costUsd, inputTokens, outputTokens, totalTokens } = read
  return {
    ...origin,
    ...variant,
    costUsd,
    inputTokens,
    outputTokens,
    totalTokens,
    id,
    compositeId: compositeRunId(variant.variantId, shortHash(id)),
    repeat,
    mock: false,
    status: read.status,
    statusReason: read.reason,
    infrastructureCause: read.infrastructureCause,
    attempt: 1,
    timeLimitHit: read.timeLimitHit,
    testsPassed: counts.passed,
    testsFailed: counts.failed,
    testsUnresolved: counts.unresolved,
    testsErrored: counts.errored,
    testsSkipped: counts.skipped,
    scores: read.scores,
    steps: null,
    wallSeconds: read.wallSeconds,
    toolCalls: transcript?.toolCalls ?? null,
    toolFailures: transcript?.toolFailures ?? null,
    testAware: transcript?.evidenceSeq != null,
    testAwareEvidenceSeq: transcript?.evidenceSeq ?? null,
    transcriptPublished: transcript !== null,
    turnCount: sumOf(transcript, 'turnCount'),
    reasoningTurnCount: sumOf(transcript, 'reasoningTurnCount'),
    skippedMalformed: transcript?.skippedMalformed ?? 0,
    unknownLines: transcript?.unknownLines ?? null,
    createdAt: read.startedAt ?? batchTime,
    startedAt: read.startedAt,
    endedAt,
    statusUpdatedAt: endedAt,
    ...read.archived?.values,
    // Lines that could not be read as turns are counted anew.
    ...(read.archived && transcript && { skippedMalformed: transcript.skippedMalformed }),
  } satisfies EndedRun
}

const sumOf = (transcript: ResultRun['transcript'], field: 'turnCount' | 'reasoningTurnCount') =>
  (transcript?.turns ?? []).reduce((sum, turns) => sum + turns[field], 0)
