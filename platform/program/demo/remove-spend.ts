import { microsToDollars } from '#contract/wire/micros.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { hasOtherMoney, removeAccount, sumSpend } from './removal-store.ts'

/**
 * Deletes the whole ledger if it contains only free credit and the spend of these runs. Otherwise it stays as it is,
 * because entries are never changed.
 */
export async function removeSpend(tx: Database, organizationId: string, runIds: readonly string[]) {
  const micros = await sumSpend(tx, runIds)
  if (micros === 0n) return []
  const spend = `the demo's spend of $${microsToDollars(micros)}`
  if (await hasOtherMoney(tx, organizationId, runIds))
    return [`Kept ${spend}, because the ledger has other entries too and its entries are permanent`]
  await removeAccount(tx, organizationId)
  return [`Removed ${spend}; the next run opens a new credit account`]
}
