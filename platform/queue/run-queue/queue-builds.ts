import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { ciBuilds } from '#platform/ground/database/tables/runs.ts'

/**
 * Queues one build for each of these environments (those of the definition that have `ci` or an image). Call it in the
 * transaction that inserts the request and its `waiting_for_ci` runs. A build that passes moves its runs to `queued`; a
 * build that fails ends them.
 */
export async function queueBuilds(
  tx: Database,
  { requestId, environments }: { requestId: string; environments: readonly string[] },
) {
  if (environments.length === 0) return
  const createdAt = await clockNow(tx)
  await tx.insert(ciBuilds).values(
    environments.map((environment) => ({
      requestId,
      environment,
      status: 'queued' as const,
      createdAt,
    })),
  )
}
