import { and, asc, desc, eq, ne } from 'drizzle-orm'

import type { Removal } from '#contract/retention.ts'
import { isUuid } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runRemovals } from '#platform/ground/database/tables/retention.ts'

const removal = { kind: runRemovals.kind, at: runRemovals.removedAt, keptDays: runRemovals.keptDays }

/** What retention removed of a run that exists, maybe again after it was removed whole. */
export const findRemovals = (db: Database, runId: string): Promise<Removal[]> =>
  db
    .select(removal)
    .from(runRemovals)
    .where(and(eq(runRemovals.runId, runId), ne(runRemovals.kind, 'runs')))
    .orderBy(asc(runRemovals.kind))

/** The composite id of a run, or the id of a request, which may be any text. */
export type GoneRun = { compositeId: string } | { requestId: string }

/** Returns null if retention did not remove the run, or the last runs of the request. */
export async function findGoneRun(db: Database, organizationId: string, gone: GoneRun): Promise<Removal | null> {
  const [row] = await db
    .select(removal)
    .from(runRemovals)
    .where(
      and(
        eq(runRemovals.organizationId, organizationId),
        eq(runRemovals.kind, 'runs'),
        'compositeId' in gone
          ? eq(runRemovals.compositeId, gone.compositeId)
          : isUuid(runRemovals.requestId, gone.requestId),
      ),
    )
    .orderBy(desc(runRemovals.removedAt))
    .limit(1)
  return row ?? null
}
