import { variantsOf } from '#contract/variants.ts'
import type { Context } from '#platform/context/context.ts'
import { estimateCharges } from '#platform/credits/estimate-charges.ts'
import { findVersion } from '#platform/experiments/find-version.ts'
import { Failure, preconditionFailed } from '#platform/failures/failure.ts'
import { isImported } from '#platform/import/terminal-bench/to-definition.ts'
import { requireRunnable, type RunsToQueue } from '#platform/runs/queue-runs.ts'
import type { SelectedRun } from './selected-runs-store.ts'

/** Runs that one request can repeat: of one version, with the same flags and budget. */
const groupOf = ({ experimentId, fingerprint, flags, mock, maxCostUsd }: SelectedRun) =>
  JSON.stringify([experimentId, fingerprint, flags, mock, maxCostUsd])

/** Groups the runs by the request that repeats them. Groups that cannot run here are `refused`, with the reason. */
export async function estimateGroups(context: Context, runs: readonly SelectedRun[]) {
  const groups: SelectedRun[][] = []
  const refused: { reason: string; runs: number }[] = []
  let heldMicros = 0n
  for (const group of Map.groupBy(runs, groupOf).values()) {
    try {
      const wanted = await readGroup(context, group)
      heldMicros += await estimate(context, wanted)
      groups.push(group)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refused.push({ reason: error.message, runs: group.length })
    }
  }
  return { groups, refused, heldMicros }
}

/**
 * The request that repeats a group: the same version, variants, flags and budget. Errors: `failed_precondition` if the
 * version lacks a variant, its agents were imported, or those of `requireRunnable`.
 */
export async function readGroup(context: Context, group: readonly SelectedRun[]): Promise<RunsToQueue> {
  const [first] = group
  if (!first) throw new Error('a group has at least one run')
  const { experimentId, fingerprint, ordinal, flags, mock, maxCostUsd } = first
  const key = { organizationId: context.organization.id, experimentId }
  const version = await findVersion(context.db, key, fingerprint)
  if (!version) throw preconditionFailed(`version ${ordinal} of ${experimentId} does not exist any more`)
  if (isImported(version.definition))
    throw preconditionFailed('with agents that came with imported results and cannot run here')
  const known = new Map(variantsOf(version.definition).map((variant) => [variant.variantId, variant]))
  const wanted = [...Map.groupBy(group, ({ variantId }) => variantId)].map(([variantId, same]) => {
    const variant = known.get(variantId)
    if (!variant) throw preconditionFailed(`version ${ordinal} of ${experimentId} has no variant ${variantId}`)
    return { variant, repeats: same.length }
  })
  const request = { experimentId, version, wanted, flags, mock, maxCostUsd }
  await requireRunnable(context, request)
  return request
}

async function estimate(context: Context, { version, wanted, flags, mock }: RunsToQueue) {
  if (mock) return 0n
  const chargeOf = await estimateCharges(context, context.db, { definition: version.definition, flags })
  return wanted.reduce((sum, { variant, repeats }) => sum + chargeOf(variant).micros * BigInt(repeats), 0n)
}
