import { eq, inArray, sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import { runs } from '#platform/database/tables/runs.ts'
import { creditHolds, runUsage } from '#platform/database/tables/credits.ts'

/**
 * Records the cost of a run in the transaction that ends it. The ledger adds it when the account is next opened, so
 * that runs can end without waiting for each other. The charge is the worker's seconds at the rate of the submission,
 * plus the model cost if the run used the operator's key. A cost paid by the definition's own key is shown and never
 * charged.
 */
export async function recordUsage(tx: Database, runId: string, seconds: number) {
  const model = sql`round(coalesce(${runs.costUsd}, 0)::numeric * 1000000)::bigint`
  await tx.execute(sql`
    insert into ${runUsage} (run_id, organization_id, experiment_id, user_id, model_micros, infrastructure_micros, byok_micros, ended_at)
    select ${runs.id}, ${runs.organizationId}, ${runs.experimentId}, ${runs.triggeredBy},
      case when ${creditHolds.platformKey} then ${model} else 0 end,
      ceil(${seconds}::float8 * ${creditHolds.runRate})::bigint,
      case when ${runs.spendKind} = 'byok' then ${model} else 0 end,
      ${runs.endedAt}
    from ${runs} join ${creditHolds} on ${creditHolds.runId} = ${runs.id}
    where ${eq(runs.id, runId)}
    on conflict do nothing`)
}

/** Runs that were canceled before they started, or lost with their workers, cost nothing and release their hold. */
export async function recordNoUsage(tx: Database, runIds: readonly string[]) {
  if (runIds.length === 0) return
  await tx.execute(sql`
    insert into ${runUsage} (run_id, organization_id, experiment_id, user_id, model_micros, infrastructure_micros, byok_micros, ended_at)
    select ${runs.id}, ${runs.organizationId}, ${runs.experimentId}, ${runs.triggeredBy}, 0, 0, 0, ${runs.endedAt}
    from ${runs} join ${creditHolds} on ${creditHolds.runId} = ${runs.id}
    where ${inArray(runs.id, [...runIds])}
    on conflict do nothing`)
}
