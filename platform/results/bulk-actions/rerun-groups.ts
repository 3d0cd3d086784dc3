import { variantsOf } from '#contract/variants.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { estimateCharges, readChargeHistory } from '#platform/inputs/credits/estimate-charges.ts'
import { findVersion } from '#platform/inputs/experiments/find-version.ts'
import { Failure, invalid, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { isImported } from '#platform/inputs/experiments/imported-agents.ts'
import { readRunRules } from '#platform/inputs/run-policies/run-rules.ts'
import { requireRunnable, type RunsToQueue } from '#platform/queue/runs/queue-runs.ts'
import type { SelectedRun } from './selected-runs-store.ts'

/** Runs that one request can repeat: of one version, with the same flags and budget. */
const groupOf = ({ experimentId, fingerprint, flags, mock, maxCostUsd }: SelectedRun) =>
  JSON.stringify([experimentId, fingerprint, flags, mock, maxCostUsd])

/**
 * Groups the runs by the request that repeats them. Groups that cannot run here are `refused`, with the reason; `charged`
 * has the real runs of the others, by experiment. Errors: `invalid_argument` for too many groups.
 */
export async function estimateGroups(context: Context, runs: readonly SelectedRun[]) {
  const all = [...Map.groupBy(runs, groupOf).values()]
  if (all.length > limits.bulkActionRequests)
    throw invalid(
      `These runs need ${all.length.toLocaleString('en')} run requests, one for each version, set of flags and budget. One bulk action can make at most ${limits.bulkActionRequests}: add a filter`,
    )
  const groups: SelectedRun[][] = []
  const refused: { reason: string; runs: number }[] = []
  const charged = new Map<string, Charge & { runCount: number }>()
  const read = reading(context)
  for (const group of all) {
    try {
      const wanted = await readGroup(context, group, read)
      if (!wanted.mock) {
        const { experimentId } = wanted
        const before = charged.get(experimentId) ?? { runCount: 0, micros: 0n, ownKeyMicros: 0n }
        const { micros, ownKeyMicros } = await estimate(context, wanted, read)
        charged.set(experimentId, {
          runCount: before.runCount + group.length,
          micros: before.micros + micros,
          ownKeyMicros: before.ownKeyMicros + ownKeyMicros,
        })
      }
      groups.push(group)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refused.push({ reason: error.message, runs: group.length })
    }
  }
  return { groups, refused, charged: [...charged].map(([experimentId, sum]) => ({ experimentId, ...sum })) }
}

/** Reads each version and each experiment's history once, because many groups share them. */
function reading({ db, organization }: Context) {
  const organizationId = organization.id
  return {
    version: once(async (experimentId, fingerprint) => {
      const version = await findVersion(db, { organizationId, experimentId }, fingerprint)
      if (!version) return null
      return { version, variants: new Map(variantsOf(version.definition).map((each) => [each.variantId, each])) }
    }),
    history: once((experimentId) => readChargeHistory(db, organizationId, experimentId)),
    rules: once(() => readRunRules(db, organizationId)),
  }
}

type Reading = ReturnType<typeof reading>

function once<T>(read: (experimentId: string, fingerprint: string) => Promise<T>) {
  const known = new Map<string, Promise<T>>()
  return (experimentId: string, fingerprint = '') => {
    const key = JSON.stringify([experimentId, fingerprint])
    const result = known.get(key) ?? read(experimentId, fingerprint)
    known.set(key, result)
    return result
  }
}

/**
 * The request that repeats a group: the same version, variants, flags and budget. Errors: `failed_precondition` if the
 * version lacks a variant, its agents were imported, or those of `requireRunnable`.
 */
export async function readGroup(
  context: Context,
  group: readonly SelectedRun[],
  read: Reading = reading(context),
): Promise<RunsToQueue> {
  const [first] = group
  if (!first) throw new Error('a group has at least one run')
  const { experimentId, fingerprint, ordinal, flags, mock, maxCostUsd } = first
  const found = await read.version(experimentId, fingerprint)
  if (!found) throw preconditionFailed(`version ${ordinal} of ${experimentId} no longer exists`)
  const { version, variants } = found
  if (isImported(version.definition))
    throw preconditionFailed('with agents that came with imported results and cannot run here')
  const wanted = [...Map.groupBy(group, ({ variantId }) => variantId)].map(([variantId, same]) => {
    const variant = variants.get(variantId)
    if (!variant) throw preconditionFailed(`version ${ordinal} of ${experimentId} has no variant ${variantId}`)
    return { variant, repeats: same.length }
  })
  const request = { experimentId, version, wanted, flags, mock, maxCostUsd }
  await requireRunnable(context, request, () => read.rules(''))
  return request
}

/** Credit pays `micros`, and budgets also count what the definition's own key pays. */
type Charge = { micros: bigint; ownKeyMicros: bigint }

async function estimate(
  context: Context,
  { experimentId, version, wanted, flags }: RunsToQueue,
  read: Reading,
): Promise<Charge> {
  const history = await read.history(experimentId)
  const chargeOf = await estimateCharges(context, context.db, { definition: version.definition, flags }, history)
  const charges = wanted.map(({ variant, repeats }) => ({ ...chargeOf(variant), repeats: BigInt(repeats) }))
  return {
    micros: charges.reduce((sum, { micros, repeats }) => sum + micros * repeats, 0n),
    ownKeyMicros: charges.reduce((sum, { ownKeyMicros, repeats }) => sum + ownKeyMicros * repeats, 0n),
  }
}
