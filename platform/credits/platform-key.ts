import type { Definition } from '#contract/definition.ts'
import type { Variant } from '#contract/variants.ts'
import type { Database } from '#platform/database/open-database.ts'
import { keyVariable } from '#platform/models/providers.ts'
import { spendKindOf, variablesOf, type Variables } from '#platform/models/run-variables.ts'
import type { SecretValue } from '#platform/secrets/masking/masker.ts'
import { preconditionFailed } from '#platform/failures/failure.ts'
import { loaderVariablesIn } from './loader-variables.ts'
import { findHold } from './store.ts'
import { type CreditTerms, isManaged, type ManagedKeys } from '#platform/context/credit-terms.ts'

/**
 * Whether a run reaches its model with the operator's key. Only preset agents get it, because the charge comes from
 * their clients' own reports, and only where the definition sets no address of its own for the model. An API key in the
 * definition always takes precedence, and a model without a price never uses the operator's key.
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

/** The key must only go to its provider, not to an address that the definition chooses. */
const isAddress = (variable: string) => /_(BASE_URL|API_BASE|ENDPOINT)$|_PROXY$/i.test(variable)

/**
 * Throws `failed_precondition` for real runs that would get the operator's key while the experiment sets a variable
 * that can replace the client by another program.
 */
export function requireSafeKeyUse(
  terms: CreditTerms,
  definition: Definition,
  { variants, flags }: { variants: readonly Variant[]; flags: readonly string[] },
) {
  for (const variant of variants) {
    if (!usesPlatformKey(terms, definition, { variant, flags })) continue
    const { shared, agentOnly } = variablesOf(definition, variant, flags)
    const refusal = whyKeyIsUnsafe({ ...shared, ...agentOnly })
    if (refusal) throw preconditionFailed(`Real runs of ${variant.variantId} cannot start: ${refusal}`)
  }
}

/** The reason why a run with these variables gets no operator key, or null when it does. */
function whyKeyIsUnsafe(variables: Variables): string | null {
  const names = loaderVariablesIn(variables)
  if (names.length === 0) return null
  return `an experiment that uses this platform's model key cannot set ${names.join(', ')}, because another program could then read the key. Remove ${names.length > 1 ? 'these variables' : 'this variable'}, or add an apiKey of your own to the model`
}

type PlatformKey = { env: Variables; values: SecretValue[]; refusal: string | null }

const noPlatformKey: PlatformKey = { env: {}, values: [], refusal: null }

/**
 * The operator's key for a run whose submission charges for it, as a variable and as a value to mask; otherwise
 * neither. `variables` are those of the definition; `refusal` gives the reason when they prevent the use of the key.
 */
export async function platformKeyOf(
  db: Database,
  run: { id: string; mock: boolean },
  { provider, managedKeys, variables }: { provider: string | null; managedKeys: ManagedKeys; variables: Variables },
): Promise<PlatformKey> {
  const key = provider === null ? undefined : managedKeys[provider]
  if (run.mock || provider === null || key === undefined) return noPlatformKey
  const hold = await findHold(db, run.id)
  if (!hold?.platformKey) return noPlatformKey
  const refusal = whyKeyIsUnsafe(variables)
  if (refusal) return { ...noPlatformKey, refusal: `The run cannot start: ${refusal}` }
  return { env: { [keyVariable(provider)]: key }, values: [{ slug: 'platform-key', value: key }], refusal: null }
}
