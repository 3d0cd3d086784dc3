import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runTraffic } from '#platform/ground/database/tables/network.ts'
import { holdsRun } from '#platform/queue/run-queue/holds-run.ts'

export type TrafficRow = typeof runTraffic.$inferSelect

/**
 * Writes the counts of an attempt so far, in place of earlier ones. Writes nothing if its worker no longer holds the
 * run.
 */
export const upsertTraffic = (db: Database, rows: readonly [TrafficRow, ...TrafficRow[]]) =>
  db.transaction(async (tx) => {
    if (!(await holdsRun(tx, rows[0]))) return
    await tx
      .insert(runTraffic)
      .values([...rows])
      .onConflictDoUpdate({
        target: [runTraffic.runId, runTraffic.attempt, runTraffic.host, runTraffic.port],
        set: {
          connections: sql`excluded.connections`,
          bytesUp: sql`excluded.bytes_up`,
          bytesDown: sql`excluded.bytes_down`,
          refusals: sql`excluded.refusals`,
          refusedBecause: sql`excluded.refused_because`,
        },
      })
  })

const { runId: _, ...withoutRun } = getTableColumns(runTraffic)

/** The latest attempt first, and in it the hosts with refusals. */
export const findTraffic = (db: Database, runId: string) =>
  db
    .select(withoutRun)
    .from(runTraffic)
    .where(eq(runTraffic.runId, runId))
    .orderBy(
      desc(runTraffic.attempt),
      desc(sql`${runTraffic.refusals} > 0`),
      desc(sql`${runTraffic.bytesUp} + ${runTraffic.bytesDown}`),
      asc(runTraffic.host),
      asc(runTraffic.port),
    )
