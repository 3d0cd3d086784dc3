import type { Database } from '#platform/ground/database/open-database.ts'
import { insertEarlierUsage, insertHolds, insertUsage, type UsedSeconds } from './store.ts'

/**
 * Records the cost of runs in the transaction that ends them. The ledger adds it when the account is next opened, so
 * that runs can end without waiting for each other. The charge is the worker's seconds at the rate of the submission,
 * plus the model cost if the run used the operator's key. A cost paid by the definition's own key is shown and never
 * charged.
 */
export async function recordUsage(tx: Database, usages: readonly UsedSeconds[]) {
  if (usages.length > 0) await insertUsage(tx, usages)
}

/**
 * Runs that were canceled before they started, or lost with their workers, cost what their earlier attempts have cost,
 * usually nothing, and release their hold.
 */
export async function recordUsageOfEarlierAttempts(tx: Database, runIds: readonly string[]) {
  if (runIds.length > 0) await insertEarlierUsage(tx, runIds)
}

type PastUsage = {
  organizationId: string
  /** Micros per second. */
  runRate: number
  usages: readonly UsedSeconds[]
}

/** Records the cost of runs that had ended when they were stored, so they never held credit. Their model is charged. */
export async function recordPastUsage(tx: Database, { organizationId, runRate, usages }: PastUsage) {
  const terms = { organizationId, parts: [], runRate, platformKey: true }
  await insertHolds(
    tx,
    usages.map(({ runId }) => ({ runId, ...terms })),
  )
  await recordUsage(tx, usages)
}
