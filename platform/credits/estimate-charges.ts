import { and, desc, eq, sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { runs } from '#platform/runs/tables.ts'
import { creditHolds, runUsage } from './tables.ts'

/** A run about to be submitted, as far as its price goes. */
type ChargeableRun = { variantId: string; platformKey: boolean }

type Submission = { organizationId: string; experimentId: string; maxTimeSeconds: number | undefined; runRate: number }

/** A variant nobody has run yet is taken to need two minutes, or its limit, and half a dollar of the operator's model. */
const guess = { seconds: 120, modelMicros: 500_000n }

const newestUsages = 2000

/** What each run is likely to be charged, cautiously: nine of ten completed runs of its variant stayed below. */
export async function estimateCharges(db: Database, submission: Submission): Promise<(run: ChargeableRun) => bigint> {
  const history = await chargeHistory(db, submission)
  const seconds = BigInt(Math.ceil(Math.min(submission.maxTimeSeconds ?? guess.seconds, guess.seconds)))
  const infrastructure = seconds * BigInt(submission.runRate)
  return ({ variantId, platformKey }) =>
    history.get(keyOf(variantId, platformKey)) ?? infrastructure + (platformKey ? guess.modelMicros : 0n)
}

const keyOf = (variantId: string, platformKey: boolean) => `${platformKey} ${variantId}`

async function chargeHistory(db: Database, { organizationId, experimentId }: Submission) {
  const newest = db
    .select({
      runId: runUsage.runId,
      charge: sql<string>`${runUsage.modelMicros} + ${runUsage.infrastructureMicros}`.as('charge'),
    })
    .from(runUsage)
    .where(and(eq(runUsage.organizationId, organizationId), eq(runUsage.experimentId, experimentId)))
    .orderBy(desc(runUsage.endedAt))
    .limit(newestUsages)
    .as('newest')
  const rows = await db
    .select({
      variantId: runs.variantId,
      platformKey: creditHolds.platformKey,
      p90: sql<string>`percentile_disc(0.9) within group (order by ${newest.charge})::text`,
    })
    .from(newest)
    .innerJoin(runs, eq(runs.id, newest.runId))
    .innerJoin(creditHolds, eq(creditHolds.runId, newest.runId))
    .where(eq(runs.status, 'completed'))
    .groupBy(runs.variantId, creditHolds.platformKey)
  return new Map(rows.map(({ variantId, platformKey, p90 }) => [keyOf(variantId, platformKey), BigInt(p90)]))
}
