import type { Definition } from '#contract/definition.ts'
import { taskOf } from '#contract/task.ts'
import type { Variant } from '#contract/variants.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { spendKindOf } from '#platform/ground/models/run-variables.ts'
import { usesPlatformKey } from './platform-key.ts'
import { findTypicalCharges } from './store.ts'

/** For a variant without history: two minutes or its time limit, and $0.50 if it uses the operator's model key. */
const guess = { seconds: 120, modelMicros: 500_000n }

type Submission = { definition: Definition; flags: readonly string[] }

/**
 * `platformKey`: the run reaches its model with the operator's own key. `ownKeyMicros`: the cost on the definition's own
 * key, which credit does not pay but budgets count.
 */
export type LikelyCharge = { platformKey: boolean; micros: bigint; ownKeyMicros: bigint }

/**
 * A cautious estimate of the charge for one run of each variant, in micros: the P90 of its completed runs. `past` is the
 * history of the experiment, for a caller that estimates several submissions of it.
 */
export async function estimateCharges(
  { organization, creditTerms }: Pick<Context, 'organization' | 'creditTerms'>,
  db: Database,
  { definition, flags }: Submission,
  past?: ChargeHistory,
): Promise<(variant: Variant) => LikelyCharge> {
  const history = past ?? (await readChargeHistory(db, organization.id, definition.id))
  const secondsOf = guessSeconds(definition)
  return (variant) => {
    const infrastructure = BigInt(secondsOf(variant.prompt)) * BigInt(creditTerms.runRate)
    const platformKey = usesPlatformKey(creditTerms, definition, { variant, flags })
    const guessed = infrastructure + (platformKey ? guess.modelMicros : 0n)
    const hasOwnKey = spendKindOf(definition, variant, flags) === 'byok'
    const known = history.get(keyOf(variant.variantId, platformKey))
    return {
      platformKey,
      micros: known?.micros ?? guessed,
      ownKeyMicros: hasOwnKey ? (known?.ownKeyMicros ?? guess.modelMicros) : 0n,
    }
  }
}

/** Looks up each prompt once, because a submission can have thousands of variants. */
function guessSeconds(definition: Definition) {
  const known = new Map<string | null, number>()
  return (prompt: string | null) => {
    const seconds = known.get(prompt) ?? taskOf(definition, prompt).limits.maxTimeSeconds ?? guess.seconds
    known.set(prompt, seconds)
    return Math.min(seconds, guess.seconds)
  }
}

const keyOf = (variantId: string, platformKey: boolean) => `${platformKey} ${variantId}`

/** The typical charges of an experiment's variants. */
export type ChargeHistory = ReadonlyMap<string, { micros: bigint; ownKeyMicros: bigint }>

export async function readChargeHistory(
  db: Database,
  organizationId: string,
  experimentId: string,
): Promise<ChargeHistory> {
  const charges = await findTypicalCharges(db, organizationId, experimentId)
  return new Map(charges.map(({ variantId, platformKey, ...known }) => [keyOf(variantId, platformKey), known]))
}
