import type { Database } from '#platform/ground/database/open-database.ts'
import type { ProviderName } from '#platform/ground/models/providers.ts'
import { sumSpending } from './store.ts'
import { countSpending } from './to-budget.ts'

/** What the runs of a provider's models have cost this month (UTC), in US dollars. */
export async function sumSpendingOfProvider(db: Database, organizationId: string) {
  const spending = await sumSpending(db, organizationId, { byModel: true })
  return (provider: ProviderName) => countSpending({ scope: 'provider', key: provider }, spending).spentUsd
}
