import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import type { UnixMs } from './billing-cycles.ts'
import { checkoutSessions, creditEntries, creditHolds, runUsage } from '#platform/ground/database/tables/credits.ts'
import { modelCalls } from '#platform/ground/database/tables/model-calls.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

const holdsPerStatement = 200

export async function insertHolds(tx: Database, holds: (typeof creditHolds.$inferInsert)[]) {
  for (let start = 0; start < holds.length; start += holdsPerStatement)
    await tx.insert(creditHolds).values(holds.slice(start, start + holdsPerStatement))
}

/** Whether an entry with this source exists. */
export async function hasEntry(tx: Database, organizationId: string, source: string) {
  const found = await tx
    .select({ id: creditEntries.id })
    .from(creditEntries)
    .where(and(eq(creditEntries.organizationId, organizationId), eq(creditEntries.source, source)))
  return found.length > 0
}

export const findPaidSessions = (tx: Database, organizationId: string) =>
  tx
    .select()
    .from(checkoutSessions)
    .where(and(eq(checkoutSessions.organizationId, organizationId), eq(checkoutSessions.status, 'paid')))
    .orderBy(asc(checkoutSessions.createdAt))

/** Marks paid sessions as posted at `at`, in the transaction that posts their credit. */
export async function markPosted(tx: Database, sessionIds: readonly string[], at: UnixMs) {
  if (sessionIds.length === 0) return
  await tx
    .update(checkoutSessions)
    .set({ status: 'posted', postedAt: new Date(at).toISOString() })
    .where(inArray(checkoutSessions.id, [...sessionIds]))
}

/** Null for a run that holds no credit: a mock run. */
export async function findHold(db: Database, runId: string) {
  const [hold] = await db.select().from(creditHolds).where(eq(creditHolds.runId, runId))
  return hold ?? null
}

/** The seconds that the last attempt of a run was held by its worker. */
export type UsedSeconds = { runId: string; seconds: number }

const usageColumns = sql`run_id, organization_id, experiment_id, user_id, model_micros, infrastructure_micros, byok_micros,
  agent, model, input_tokens, cached_tokens, output_tokens, ended_at`

/** Of the attempt that ended the run, whose tokens its row has. */
const cachedTokens = sql`(select case when count(${modelCalls.cachedTokens}) > 0
    then least(sum(${modelCalls.cachedTokens}), 9007199254740991)::bigint end
  from ${modelCalls} where ${modelCalls.runId} = ${runs.id} and ${modelCalls.attempt} = ${runs.attempt})`

/**
 * Charges the seconds at the rate of the submission, and the model where the run used the operator's key: what the
 * gateway measured, whatever the agent reports. Runs from before the gateway have no count of calls. Attempts before
 * the last one are charged too.
 */
export const insertUsage = (tx: Database, usages: readonly UsedSeconds[]) =>
  insertCharges(tx, usages, {
    costUsd: sql`coalesce(case when ${runs.modelCallCount} is null or ${runs.spendKind} = 'byok' then ${runs.costUsd} else ${runs.measuredCostUsd} end, 0)`,
  })

/** Charges only the attempts before the last one, which did not start or was lost with its worker. */
export const insertEarlierUsage = (tx: Database, runIds: readonly string[]) =>
  insertCharges(
    tx,
    runIds.map((runId) => ({ runId, seconds: 0 })),
    { costUsd: sql`0` },
  )

async function insertCharges(tx: Database, usages: readonly UsedSeconds[], last: { costUsd: SQL }) {
  const model = sql`round((${last.costUsd} + ${runs.earlierCostUsd})::numeric * 1000000)::bigint`
  await tx.execute(sql`
    insert into ${runUsage} (${usageColumns})
    select ${runs.id}, ${runs.organizationId}, ${runs.experimentId}, ${runs.triggeredBy},
      case when ${creditHolds.platformKey} then ${model} else 0 end,
      ceil((used.seconds + ${runs.earlierSeconds}) * ${creditHolds.runRate})::bigint,
      case when ${runs.spendKind} = 'byok' then ${model} else 0 end,
      ${runs.agent}, ${runs.model}, ${runs.inputTokens}, ${cachedTokens}, ${runs.outputTokens}, ${runs.endedAt}
    from jsonb_to_recordset(${JSON.stringify(usages)}::jsonb) as used("runId" uuid, seconds float8)
    join ${runs} on ${runs.id} = used."runId"
    join ${creditHolds} on ${creditHolds.runId} = ${runs.id}
    on conflict do nothing`)
}

const newestUsages = 2000

/**
 * For each variant, with the operator's model key and without, the charge and the cost on the definition's own key that
 * nine of ten completed runs stayed below.
 */
export async function findTypicalCharges(db: Database, organizationId: string, experimentId: string) {
  const newest = db
    .select({
      runId: runUsage.runId,
      charge: sql<string>`${runUsage.modelMicros} + ${runUsage.infrastructureMicros}`.as('charge'),
      ownKey: sql<string>`${runUsage.byokMicros}`.as('own_key'),
    })
    .from(runUsage)
    .where(and(eq(runUsage.organizationId, organizationId), eq(runUsage.experimentId, experimentId)))
    .orderBy(desc(runUsage.endedAt))
    .limit(newestUsages)
    .as('newest')
  return db
    .select({
      variantId: runs.variantId,
      platformKey: creditHolds.platformKey,
      micros: sql<bigint>`percentile_disc(0.9) within group (order by ${newest.charge})::text`.mapWith(BigInt),
      ownKeyMicros: sql<bigint>`percentile_disc(0.9) within group (order by ${newest.ownKey})::text`.mapWith(BigInt),
    })
    .from(newest)
    .innerJoin(runs, eq(runs.id, newest.runId))
    .innerJoin(creditHolds, eq(creditHolds.runId, newest.runId))
    .where(eq(runs.status, 'completed'))
    .groupBy(runs.variantId, creditHolds.platformKey)
}
