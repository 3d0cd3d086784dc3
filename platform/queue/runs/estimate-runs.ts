import type { VerbInput } from '#contract/endpoint.ts'
import type { estimateRuns as endpoint, RunEstimate } from '#contract/run-submission.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { estimateCharges } from '#platform/inputs/credits/estimate-charges.ts'
import { usesPlatformKey } from '#platform/inputs/credits/platform-key.ts'
import { findRefusals } from '#platform/inputs/run-policies/run-rules.ts'
import { readSubmission } from './read-submission.ts'

/**
 * POST /experiments/{id}/runs/estimate: the credit that a submit with the same body would hold, computed the same way.
 * It does not say whether the balance covers it, because members may not know the balance. Errors: those of
 * `readSubmission`.
 */
export async function estimateRuns(context: Context, input: VerbInput<typeof endpoint>): Promise<RunEstimate> {
  const { version, variants, repeat, flags, mock } = await readSubmission(context, input)
  const { definition } = version
  const runCount = variants.length * repeat
  if (mock) return { runCount, currency: 'USD', heldMicros: '0', refusals: [] }
  const refusals = await findRefusals(context.db, context.organization.id, {
    definition,
    variants,
    flags,
    usesPlatformKey: (variant) => usesPlatformKey(context.creditTerms, definition, { variant, flags }),
  })
  const chargeOf = await estimateCharges(context, context.db, { definition, flags })
  const once = variants.reduce((sum, variant) => sum + chargeOf(variant).micros, 0n)
  return { runCount, currency: 'USD', heldMicros: String(once * BigInt(repeat)), refusals }
}
