import { and, asc, inArray, notExists, sql } from 'drizzle-orm'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { runServices, runTraffic } from '#platform/ground/database/tables/network.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { modelCalls } from '#platform/ground/database/tables/model-calls.ts'
import { ciBuilds, runRequests, runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import { runSpans, runTraces } from '#platform/ground/database/tables/spans.ts'
import { dropChanges } from '#platform/queue/changes/record-changes.ts'
import { dropSegments } from '#platform/queue/transcripts/record-segments.ts'

/** A longer statement would hold up the thread of an embedded database. */
const runsPerStatement = 50

/**
 * Deletes requests with their runs, which must have ended. Returns the ids of the runs, and the keys of blobs to delete
 * after the commit. The analytics engine still has the runs.
 */
export async function deleteRequests(tx: Database, requestIds: readonly string[]) {
  const found = await tx
    .select({ id: runs.id })
    .from(runs)
    .where(inArray(runs.requestId, [...requestIds]))
  const runIds = found.map(({ id }) => id)
  const blobKeys = await deleteRuns(tx, runIds)
  return { runIds, blobKeys, requestCount: await deleteEmptyRequests(tx, requestIds) }
}

/** Deletes runs, which must have ended. Returns the keys of blobs to delete after the commit. The analytics engine still has them. */
export async function deleteRuns(tx: Database, runIds: readonly string[]): Promise<string[]> {
  const blobKeys: string[] = []
  for (let start = 0; start < runIds.length; start += runsPerStatement) {
    const some = runIds.slice(start, start + runsPerStatement)
    // Nobody labels a run while its rows go.
    await tx.select({ id: runs.id }).from(runs).where(inArray(runs.id, some)).orderBy(asc(runs.id)).for('update')
    blobKeys.push(...(await dropSegments(tx, some)), ...(await dropChanges(tx, some)))
    await tx.delete(capturedTests).where(inArray(capturedTests.runId, some))
    await tx.delete(runServices).where(inArray(runServices.runId, some))
    await tx.delete(runTraffic).where(inArray(runTraffic.runId, some))
    await tx.delete(runStatusChanges).where(inArray(runStatusChanges.runId, some))
    await tx.delete(modelCalls).where(inArray(modelCalls.runId, some))
    await tx.delete(runSpans).where(inArray(runSpans.runId, some))
    await tx.delete(runTraces).where(inArray(runTraces.runId, some))
    await tx.delete(analyticsOutbox).where(inArray(analyticsOutbox.runId, some))
    await tx.delete(runs).where(inArray(runs.id, some))
  }
  return blobKeys
}

/** Deletes those of the requests that have no run. Returns how many. */
export async function deleteEmptyRequests(tx: Database, requestIds: readonly string[]) {
  const runsOf = tx
    .select({ one: sql`1` })
    .from(runs)
    .where(sql`${runs.requestId} = ${runRequests.id}`)
  const empty = await tx
    .select({ id: runRequests.id })
    .from(runRequests)
    .where(and(inArray(runRequests.id, [...requestIds]), notExists(runsOf)))
    .orderBy(asc(runRequests.id))
    .for('update')
  const ids = empty.map(({ id }) => id)
  await tx.delete(ciBuilds).where(inArray(ciBuilds.requestId, ids))
  await tx.delete(runRequests).where(inArray(runRequests.id, ids))
  return ids.length
}
