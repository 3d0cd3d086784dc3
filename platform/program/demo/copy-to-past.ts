import { createHash } from 'node:crypto'

import { v7 as newId } from 'uuid'

import { compositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { recordPastUsage } from '#platform/inputs/credits/record-usage.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import { recordEndedRuns, recordRequestOnce } from '#platform/queue/run-queue/record-ended-runs.ts'
import { recordTests } from '#platform/queue/run-queue/record-tests.ts'
import { findRequestWithRuns } from './store.ts'

type Copy = { requestId: string; daysAgo: number; triggeredBy: string }

const dayMs = 86_400_000

/**
 * Copies a finished request of the demo to an earlier day, with the results of its runs, slightly different times and
 * costs, and no transcripts. Mock runs cost nothing, so their copies have no usage. Returns the id of the copy.
 */
export async function copyToPast(context: Context, { requestId, daysAgo, triggeredBy }: Copy): Promise<string> {
  const { db, organization, creditTerms } = context
  const source = await findRequestWithRuns(db, requestId)
  const id = newId()
  const earlier = (at: string) => toInstant(new Date(Date.parse(at) - daysAgo * dayMs))
  const earlierOrNull = (at: string | null) => (at === null ? null : earlier(at))
  const copies = source.runs.map(({ changedIn: _changedIn, ...run }, index) => {
    const runId = newId()
    const vary = (value: number | null) => (value === null ? null : value * variation(daysAgo, index))
    return {
      ...run,
      id: runId,
      requestId: id,
      compositeId: compositeRunId(run.variantId, createHash('sha256').update(runId).digest('hex').slice(0, 12)),
      triggeredBy,
      costUsd: vary(run.costUsd),
      wallSeconds: vary(run.wallSeconds),
      leaseOwner: null,
      leaseExpiresAt: null,
      cancelRequestedAt: null,
      losses: 0,
      attempt: 1,
      transcriptPublished: false,
      turnCount: 0,
      reasoningTurnCount: 0,
      skippedMalformed: 0,
      unknownLines: null,
      testAwareEvidenceSeq: null,
      createdAt: earlier(run.createdAt),
      startedAt: earlierOrNull(run.startedAt),
      endedAt: earlierOrNull(run.endedAt),
      statusUpdatedAt: earlier(run.statusUpdatedAt),
    }
  })
  await recordRequestOnce(db, { ...source.request, id, triggeredBy, createdAt: earlier(source.request.createdAt) })
  await recordEndedRuns(db, copies)
  await recordTests(
    db,
    copies.map(({ id: runId }, index) => ({ runId, tests: source.testsOf.get(source.runs[index]?.id ?? '') ?? [] })),
  )
  if (!source.request.mock) {
    const usages = copies.map((run) => ({ runId: run.id, seconds: run.wallSeconds ?? 0 }))
    await recordPastUsage(db, { organizationId: organization.id, runRate: creditTerms.runRate, usages })
  }
  return id
}

/** Between 0.85 and 1.15, and always the same for the same run. */
const variation = (daysAgo: number, index: number) => 1 + 0.15 * Math.sin(daysAgo * 12.9898 + index * 78.233)
