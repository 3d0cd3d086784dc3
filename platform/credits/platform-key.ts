import { eq } from 'drizzle-orm'

import type { Definition } from '#contract/definition.ts'
import type { Variant } from '#contract/variants.ts'
import type { Database } from '#platform/database/open-database.ts'
import { keyVariable } from '#platform/run-engine/providers.ts'
import { spendKindOf, variablesOf, type Variables } from '#platform/run-engine/run-variables.ts'
import type { SecretValue } from '#platform/secrets/masking/masker.ts'
import { creditHolds } from './tables.ts'
import { type CreditTerms, isManaged, type ManagedKeys } from './terms.ts'

/**
 * Whether a run reaches its model with the operator's key. Preset agents alone are given it, since their clients' own
 * reports are what is charged, and only where the definition sends them to no address of its own. A definition's own key
 * always wins, and a model without a price is never managed.
 */
export function usesPlatformKey(
  terms: CreditTerms,
  definition: Definition,
  { variant, flags }: { variant: Variant; flags: readonly string[] },
): boolean {
  const agent = definition.agents.find(({ id }) => id === variant.agent)
  if (!agent?.preset || spendKindOf(definition, variant, flags) === 'byok') return false
  const { shared, agentOnly, provider } = variablesOf(definition, variant, flags)
  if (Object.keys({ ...shared, ...agentOnly }).some(isAddress)) return false
  return isManaged(terms, variant.model, provider)
}

/** The key must go to its provider, not to wherever a definition would like it. */
const isAddress = (variable: string) => /_(BASE_URL|API_BASE|ENDPOINT)$|_PROXY$/i.test(variable)

/** The operator's key for a run that was submitted to be charged for it, as a variable and as what is masked; else nothing. */
export async function platformKeyOf(
  db: Database,
  run: { id: string; mock: boolean },
  { provider, managedKeys }: { provider: string | null; managedKeys: ManagedKeys },
): Promise<{ env: Variables; values: SecretValue[] }> {
  const key = provider === null ? undefined : managedKeys[provider]
  if (run.mock || provider === null || key === undefined) return { env: {}, values: [] }
  const [held] = await db
    .select({ platformKey: creditHolds.platformKey })
    .from(creditHolds)
    .where(eq(creditHolds.runId, run.id))
  if (!held?.platformKey) return { env: {}, values: [] }
  return { env: { [keyVariable(provider)]: key }, values: [{ slug: 'platform-key', value: key }] }
}
