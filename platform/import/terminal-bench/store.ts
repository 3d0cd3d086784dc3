import { and, eq, inArray, max } from 'drizzle-orm'

import { analyticsOutbox } from '#platform/database/tables/analytics.ts'
import type { Database } from '#platform/database/open-database.ts'
import { runRequests, runs, runStatusChanges } from '#platform/database/tables/runs.ts'

type NewRun = typeof runs.$inferInsert

/** The runs among these that an earlier import has stored. */
export async function findStoredRuns(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: runs.id })
    .from(runs)
    .where(inArray(runs.id, [...ids]))
  return new Set(rows.map((row) => row.id))
}

/** Variant → its highest repeat number so far, for variants that have runs. */
export async function findLastRepeats(db: Database, organizationId: string, experimentId: string) {
  const rows = await db
    .select({ variantId: runs.variantId, last: max(runs.repeat) })
    .from(runs)
    .where(and(eq(runs.organizationId, organizationId), eq(runs.experimentId, experimentId)))
    .groupBy(runs.variantId)
  return new Map(rows.map((row) => [row.variantId, row.last ?? 0]))
}

/** Keeps a request of an earlier import unchanged; new trials of its folder are added to it. */
export const insertRequestOnce = (tx: Database, request: typeof runRequests.$inferInsert) =>
  tx.insert(runRequests).values(request).onConflictDoNothing()

/** Stores ended runs with their status history, and adds them to the analytics outbox in the same transaction. */
export async function insertEndedRuns(tx: Database, rows: readonly NewRun[]) {
  if (rows.length === 0) return
  await tx.insert(runs).values([...rows])
  await tx.insert(runStatusChanges).values(rows.flatMap((run) => historyOf(run)))
  await tx.insert(analyticsOutbox).values(rows.map((run) => ({ organizationId: run.organizationId, runId: run.id })))
}

function historyOf(run: NewRun) {
  const ended = { status: run.status, reason: run.statusReason ?? null, at: run.statusUpdatedAt }
  const started = run.startedAt ? [{ status: 'running' as const, reason: null, at: run.startedAt }] : []
  return [...started, ended].map((change, index) => ({ ...change, runId: run.id, seq: index + 1, attempt: 1 }))
}
