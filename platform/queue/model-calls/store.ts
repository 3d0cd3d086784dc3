import { and, asc, eq, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { modelCalls } from '#platform/ground/database/tables/model-calls.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

export type ModelCallRow = typeof modelCalls.$inferSelect

export const insertModelCalls = (tx: Database, calls: (typeof modelCalls.$inferInsert)[]) =>
  tx.insert(modelCalls).values(calls).onConflictDoNothing()

export type CallPosition = { attempt: number; seq: number }

/** In the order in which the calls ended. */
export const findModelCalls = (
  db: Database,
  runId: string,
  page: { after?: CallPosition | undefined; limit: number },
) =>
  db
    .select()
    .from(modelCalls)
    .where(
      and(
        eq(modelCalls.runId, runId),
        page.after && sql`(${modelCalls.attempt}, ${modelCalls.seq}) > (${page.after.attempt}, ${page.after.seq})`,
      ),
    )
    .orderBy(asc(modelCalls.attempt), asc(modelCalls.seq))
    .limit(page.limit)

type CallsOf = { requestId: string; runId?: undefined } | { runId: string; requestId?: undefined }

export async function sumCosts(db: Database, { requestId, runId }: CallsOf): Promise<number> {
  const [sum] = await db
    .select({ costUsd: sql<number>`coalesce(sum(${modelCalls.costUsd}), 0)::float8`.mapWith(Number) })
    .from(modelCalls)
    .innerJoin(runs, eq(runs.id, modelCalls.runId))
    .where(requestId === undefined ? eq(runs.id, runId) : eq(runs.requestId, requestId))
  return sum?.costUsd ?? 0
}
