import { and, eq } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

/** Whether the attempt still has its run. Locks the run against a change of its attempt until the commit. */
export async function holdsRun(tx: Database, { runId, attempt }: { runId: string; attempt: number }) {
  const held = await tx
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.id, runId), eq(runs.attempt, attempt), eq(runs.status, 'running')))
    .for('share')
  return held.length > 0
}
