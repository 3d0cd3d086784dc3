import { eq } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runRequests } from '#platform/ground/database/tables/runs.ts'

/** The request of a claimed run or build. */
export async function loadRequest(db: Database, id: string) {
  const [request] = await db.select().from(runRequests).where(eq(runRequests.id, id))
  return request ?? null
}
