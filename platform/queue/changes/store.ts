import { eq, inArray } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runChanges } from '#platform/ground/database/tables/changes.ts'

type ChangesRow = typeof runChanges.$inferSelect

export const insertChanges = (tx: Database, row: ChangesRow) => tx.insert(runChanges).values(row)

export const deleteChanges = (tx: Database, runIds: readonly string[]) =>
  tx
    .delete(runChanges)
    .where(inArray(runChanges.runId, [...runIds]))
    .returning()

/** Returns null if the run recorded no changes. */
export async function findChanges(db: Database, runId: string): Promise<ChangesRow | null> {
  const [row] = await db.select().from(runChanges).where(eq(runChanges.runId, runId))
  return row ?? null
}
