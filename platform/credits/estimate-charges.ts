import { and, desc, eq, sql } from 'drizzle-orm'

import type { Definition } from '#contract/definition.ts'
import type { Variant } from '#contract/variants.ts'
import type { Context } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { runs } from '#platform/database/tables/runs.ts'
import { usesPlatformKey } from './platform-key.ts'
import { creditHolds, runUsage } from '#platform/database/tables/credits.ts'

/** For a variant without history: two minutes or its time limit, and $0.50 if it uses the operator's model key. */
const guess = { seconds: 120, modelMicros: 500_000n }

const newestUsages = 2000

type Submission = { definition: Definition; flags: readonly string[] }

/** `platformKey`: the run reaches its model with the operator's own key. */
type LikelyCharge = { platformKey: boolean; micros: bigint }

/** A cautious estimate of the charge for one run of each variant, in micros: the P90 of its completed runs. */
export async function estimateCharges(
  { organization, creditTerms }: Pick<Context, 'organization' | 'creditTerms'>,
  db: Database,
  { definition, flags }: Submission,
): Promise<(variant: Variant) => LikelyCharge> {
  const history = await chargeHistory(db, organization.id, definition.id)
  const seconds = Math.ceil(Math.min(definition.limits?.maxTimeSeconds ?? guess.seconds, guess.seconds))
  const infrastructure = BigInt(seconds) * BigInt(creditTerms.runRate)
  return (variant) => {
    const platformKey = usesPlatformKey(creditTerms, definition, { variant, flags })
    const guessed = infrastructure + (platformKey ? guess.modelMicros : 0n)
    return { platformKey, micros: history.get(keyOf(variant.variantId, platformKey)) ?? guessed }
  }
}

const keyOf = (variantId: string, platformKey: boolean) => `${platformKey} ${variantId}`

async function chargeHistory(db: Database, organizationId: string, experimentId: string) {
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
