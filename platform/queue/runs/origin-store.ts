import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { isSolved } from '#platform/ground/database/tables/solved-runs.ts'

/** As in charts, test-aware runs do not count. */
const counts = sql`${runs.endedAt} is not null and not ${runs.testAware}`

type Wanted = { organizationId: string; experimentId: string; branch?: string | undefined; commit?: string | undefined }

/** The newest requests that name a commit, with how many of their runs have ended. */
export const findRequestsOfCommits = (
  db: Database,
  { organizationId, experimentId, branch, commit }: Wanted,
  limit: number,
) =>
  db
    .select({
      id: runRequests.id,
      fingerprint: runRequests.fingerprint,
      ordinal: runRequests.ordinal,
      origin: runRequests.origin,
      createdAt: runRequests.createdAt,
      runCount: sql<number>`count(${runs.id})::int`,
      endedCount: sql<number>`count(${runs.endedAt})::int`,
      solved: {
        solved: sql<number>`count(*) filter (where ${counts} and ${isSolved})::int`,
        runs: sql<number>`count(*) filter (where ${counts} and ${isSolved} is not null)::int`,
      },
    })
    .from(runRequests)
    .leftJoin(runs, eq(runs.requestId, runRequests.id))
    .where(
      and(
        eq(runRequests.organizationId, organizationId),
        eq(runRequests.experimentId, experimentId),
        isNotNull(runRequests.origin),
        branch === undefined ? undefined : sql`${runRequests.origin} ->> 'branch' = ${branch}`,
        commit === undefined ? undefined : sql`${runRequests.origin} ->> 'commit' = ${commit}`,
      ),
    )
    .groupBy(runRequests.id)
    .orderBy(desc(runRequests.createdAt), desc(runRequests.id))
    .limit(limit)
