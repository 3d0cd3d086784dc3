import { and, asc, eq, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runUsage } from '#platform/ground/database/tables/credits.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { runRequests, runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'

/**
 * `isImportedRun` of contract/run-status.ts in SQL. The demo's earlier days arrive as imports do, but were charged: runs
 * with an entry in the ledger stay.
 */
const isImported = sql<boolean>`not exists (select 1 from ${runStatusChanges}
  where ${runStatusChanges.runId} = ${runs.id} and ${runStatusChanges.status} in ('queued', 'waiting_for_ci'))
  and exists (select 1 from ${runStatusChanges} where ${runStatusChanges.runId} = ${runs.id})
  and not exists (select 1 from ${runUsage} where ${runUsage.runId} = ${runs.id})`

const isAmong = (ids: readonly string[]) => sql`${runs.id} = any(${`{${ids.join(',')}}`}::uuid[])`

type Asked = { organizationId: string; runIds: readonly string[] }

/** Those of the runs that the organization has, oldest first. */
export const findSelectedRuns = (db: Database, { organizationId, runIds }: Asked) =>
  db
    .select({
      id: runs.id,
      compositeId: runs.compositeId,
      requestId: runs.requestId,
      experimentId: runs.experimentId,
      fingerprint: runs.fingerprint,
      ordinal: runs.ordinal,
      variantId: runs.variantId,
      mock: runs.mock,
      status: runs.status,
      infrastructureCause: runs.infrastructureCause,
      cancelRequestedAt: runs.cancelRequestedAt,
      testsPassed: runs.testsPassed,
      testsFailed: runs.testsFailed,
      testsUnresolved: runs.testsUnresolved,
      testsErrored: runs.testsErrored,
      testsSkipped: runs.testsSkipped,
      flags: runRequests.flags,
      maxCostUsd: runRequests.maxCostUsd,
      isNewestVersion: sql<boolean>`${experiments.latestFingerprint} = ${runs.fingerprint}`,
      isImported,
    })
    .from(runs)
    .innerJoin(runRequests, eq(runRequests.id, runs.requestId))
    .innerJoin(
      experiments,
      and(eq(experiments.organizationId, runs.organizationId), eq(experiments.id, runs.experimentId)),
    )
    .where(and(eq(runs.organizationId, organizationId), isAmong(runIds)))
    .orderBy(asc(runs.createdAt), asc(runs.id))

export type SelectedRun = Awaited<ReturnType<typeof findSelectedRuns>>[number]

/** Those of the runs on which the person put the tag. */
export async function findTaggedBy(
  db: Database,
  { createdBy, tag, runIds }: { createdBy: string; tag: string; runIds: readonly string[] },
) {
  const rows = await db
    .selectDistinct({ runId: labels.runId })
    .from(labels)
    .where(
      and(
        eq(labels.kind, 'tag'),
        eq(labels.text, tag),
        eq(labels.createdBy, createdBy),
        sql`${labels.runId} = any(${`{${runIds.join(',')}}`}::uuid[])`,
        sql`${labels.testName} is null and ${labels.turn} is null`,
      ),
    )
  return new Set(rows.map(({ runId }) => runId))
}
