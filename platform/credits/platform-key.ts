import { eq } from 'drizzle-orm'

import type { Definition } from '#contract/definition.ts'
import type { Variant } from '#contract/variants.ts'
import type { Database } from '#platform/database/open-database.ts'
import { keyVariable } from '#platform/run-engine/providers.ts'
import { spendKindOf, variablesOf, type Variables } from '#platform/run-engine/run-variables.ts'
import { creditHolds } from './tables.ts'
import { type CreditTerms, isManaged, type ManagedKeys } from './terms.ts'

/**
 * Whether a run reaches its model with the operator's key. Preset agents alone are given it: their clients' own reports
 * are what is charged. A definition's own key always wins, and a model without a price is never managed.
 */
export function usesPlatformKey(
  terms: CreditTerms,
  definition: Definition,
  { variant, flags }: { variant: Variant; flags: readonly string[] },
): boolean {
  const agent = definition.agents.find(({ id }) => id === variant.agent)
  if (!agent?.preset || spendKindOf(definition, variant, flags) === 'byok') return false
  return isManaged(terms, variant.model, variablesOf(definition, variant, flags).provider)
}

/** The variable with the operator's key for a run that was submitted to be charged for it; none for every other run. */
export async function platformKeyVariables(
  db: Database,
  runId: string,
  { provider, managedKeys }: { provider: string | null; managedKeys: ManagedKeys },
): Promise<Variables> {
  const key = provider === null ? undefined : managedKeys[provider]
  if (provider === null || key === undefined) return {}
  const [held] = await db
    .select({ platformKey: creditHolds.platformKey })
    .from(creditHolds)
    .where(eq(creditHolds.runId, runId))
  return held?.platformKey ? { [keyVariable(provider)]: key } : {}
}
