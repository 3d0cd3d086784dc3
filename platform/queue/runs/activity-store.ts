import { and, asc, desc, eq, inArray, ne, not, sql } from 'drizzle-orm'

import type { InfrastructureCause } from '#contract/infrastructure.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { isLeftOut, isSolved } from '#platform/ground/database/tables/solved-runs.ts'

const unfinished = inArray(runs.status, ['queued', 'waiting_for_ci', 'running'])

/** The requests with runs that have not ended, newest first. */
export async function findUnfinishedIds(db: Database, organizationId: string, limit: number) {
  const rows = await db
    .selectDistinct({ id: runs.requestId, createdAt: runs.createdAt })
    .from(runs)
    .where(and(eq(runs.organizationId, organizationId), unfinished))
    .orderBy(desc(runs.createdAt))
    .limit(limit)
  return [...new Set(rows.map(({ id }) => id))]
}

/** As many of the newest ended runs as are read to find the requests that they belong to. */
const newestRuns = 2000

/** The requests of the runs that ended last, all of whose runs have ended, latest end first. */
export async function findFinishedIds(
  db: Database,
  { organizationId, since, limit }: { organizationId: string; since?: string | undefined; limit: number },
) {
  const newest = db
    .select({ requestId: runs.requestId, endedAt: runs.endedAt })
    .from(runs)
    .where(
      and(
        eq(runs.organizationId, organizationId),
        sql`${runs.endedAt} is not null`,
        since === undefined ? undefined : sql`${runs.endedAt} > ${since}::timestamptz`,
      ),
    )
    .orderBy(desc(runs.endedAt), desc(runs.createdAt), desc(runs.id))
    .limit(newestRuns)
    .as('newest')
  const rows = await db
    .select({ id: newest.requestId })
    .from(newest)
    .where(sql`not exists (select 1 from ${runs} where ${runs.requestId} = ${newest.requestId} and ${unfinished})`)
    .groupBy(newest.requestId)
    .orderBy(desc(sql`max(${newest.endedAt})`))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Requests with their experiments and submitters, in any order. */
export const findRequestLines = (db: Database, ids: readonly string[]) =>
  db
    .select({
      id: runRequests.id,
      experimentId: runRequests.experimentId,
      experimentName: experiments.name,
      ordinal: runRequests.ordinal,
      mock: runRequests.mock,
      triggeredBy: { id: users.id, email: users.email, name: users.name },
      createdAt: runRequests.createdAt,
    })
    .from(runRequests)
    .innerJoin(
      experiments,
      and(eq(experiments.organizationId, runRequests.organizationId), eq(experiments.id, runRequests.experimentId)),
    )
    .innerJoin(users, eq(users.id, runRequests.triggeredBy))
    .where(inArray(runRequests.id, [...ids]))

const countWhere = (condition: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${condition}))::int`

/** The runs of requests, counted by agent and model. */
export const countByGroup = (db: Database, ids: readonly string[]) =>
  db
    .select({
      requestId: runs.requestId,
      agent: runs.agent,
      model: runs.model,
      runCount: countWhere(sql`true`),
      unfinished: countWhere(sql`${unfinished}`),
      running: countWhere(sql`${runs.status} = 'running'`),
      errored: countWhere(sql`${runs.status} = 'errored'`),
      solved: countWhere(sql`${isSolved}`),
      counted: countWhere(sql`${isSolved} is not null`),
      /** One cause for each run that is left out. */
      leftOut: sql<
        InfrastructureCause[]
      >`coalesce(json_agg(${runs.infrastructureCause}) filter (where ${isLeftOut}), '[]')`,
      startedAt: sql<string | null>`min(${runs.startedAt})`.mapWith(toInstant),
      endedAt: sql<string | null>`max(${runs.endedAt})`.mapWith(toInstant),
    })
    .from(runs)
    .where(inArray(runs.requestId, [...ids]))
    .groupBy(runs.requestId, runs.agent, runs.model)
    .orderBy(asc(runs.agent), asc(runs.model))

export type GroupCounts = Awaited<ReturnType<typeof countByGroup>>[number]

/** The two newest versions of an experiment with ended runs, newer first, and when the first run of each ended. */
export const findNewestVersions = (db: Database, { organizationId, experimentId }: ExperimentKey) =>
  db
    .select({
      ordinal: runs.ordinal,
      version: sql<string>`min(${runs.fingerprint})`,
      firstEndedAt: sql<string>`min(${runs.endedAt})`.mapWith(toInstant),
    })
    .from(runs)
    .where(
      and(
        eq(runs.organizationId, organizationId),
        eq(runs.experimentId, experimentId),
        inArray(runs.status, ['completed', 'errored']),
        not(isLeftOut),
      ),
    )
    .groupBy(runs.ordinal)
    .orderBy(desc(runs.ordinal))
    .limit(2)

type ExperimentKey = { organizationId: string; experimentId: string }

const runsPerVersion = 500

/** The outcomes of tests by variant in two versions, of which both have runs with the test. */
export async function findTestsOfVersions(
  db: Database,
  { organizationId, experimentId, from, to }: ExperimentKey & { from: number; to: number },
) {
  const newestOf = (ordinal: number) =>
    db
      .select({ id: runs.id, ordinal: runs.ordinal, variantId: runs.variantId })
      .from(runs)
      .where(
        and(
          eq(runs.organizationId, organizationId),
          eq(runs.experimentId, experimentId),
          eq(runs.ordinal, ordinal),
          inArray(runs.status, ['completed', 'errored']),
          not(isLeftOut),
        ),
      )
      .orderBy(desc(runs.createdAt))
      .limit(runsPerVersion)
  const both = newestOf(from).unionAll(newestOf(to)).as('both')
  const failures = (ordinal: number) => ({
    failed: countWhere(sql`${both.ordinal} = ${ordinal} and ${capturedTests.outcome} <> 'passed'`),
    counted: countWhere(sql`${both.ordinal} = ${ordinal}`),
  })
  const [before, now] = [failures(from), failures(to)]
  const rows = await db
    .select({ test: capturedTests.name, variantId: both.variantId, before, now })
    .from(both)
    .innerJoin(capturedTests, eq(capturedTests.runId, both.id))
    .where(ne(capturedTests.outcome, 'skipped'))
    .groupBy(capturedTests.name, both.variantId)
    .having(sql`${before.counted} > 0 and ${now.counted} > 0`)
    .orderBy(asc(capturedTests.name), asc(both.variantId))
  return rows
}
