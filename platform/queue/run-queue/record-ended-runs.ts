import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runRequests, runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'

export type EndedRun = typeof runs.$inferInsert

/** Inserts a request whose runs have already ended. A stored request stays unchanged. */
export const recordRequestOnce = (tx: Database, request: typeof runRequests.$inferInsert) =>
  tx.insert(runRequests).values(request).onConflictDoNothing()

/** Stores ended runs with their status history, and adds them to the analytics outbox in the same transaction. */
export async function recordEndedRuns(tx: Database, rows: readonly EndedRun[]) {
  if (rows.length === 0) return
  await tx.insert(runs).values([...rows])
  await tx.insert(runStatusChanges).values(rows.flatMap((run) => historyOf(run)))
  await tx.insert(analyticsOutbox).values(rows.map((run) => ({ organizationId: run.organizationId, runId: run.id })))
}

function historyOf(run: EndedRun) {
  const ended = { status: run.status, reason: run.statusReason ?? null, at: run.statusUpdatedAt }
  const started = run.startedAt ? [{ status: 'running' as const, reason: null, at: run.startedAt }] : []
  return [...started, ended].map((change, index) => ({ ...change, runId: run.id, seq: index + 1, attempt: 1 }))
}
