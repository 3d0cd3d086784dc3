import { asc, eq } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runTraffic } from '#platform/ground/database/tables/network.ts'

/** The recorded traffic of a run, hosts without a connection first. */
export const listTraffic = (db: Database, runId: string) =>
  db.select().from(runTraffic).where(eq(runTraffic.runId, runId)).orderBy(asc(runTraffic.connections))
