import { setImmediate as nextTurn } from 'node:timers/promises'

import { reloadRange } from '#contract/credits.ts'
import type { Definition } from '#contract/definition.ts'
import { can } from '#contract/permissions.ts'
import type { Variant } from '#contract/variants.ts'
import { microsPerCent, microsToDollars } from '#contract/wire/micros.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { exhausted } from '#platform/ground/failures/failure.ts'
import { requireBudget } from '#platform/inputs/budgets/require-budget.ts'
import { type Account, totalHeld, type HoldPart, spendable } from './account.ts'
import { estimateCharges, type LikelyCharge } from './estimate-charges.ts'
import { providerOf } from '#platform/ground/models/providers.ts'
import { uncountedProviders } from '#platform/ground/models/uncounted-providers.ts'
import { hold, partsOf } from './ledger.ts'
import { type OpenAccount, withAccount } from './open-account.ts'
import { insertHolds } from './store.ts'

type Submission = { definition: Definition; flags: readonly string[]; variants: readonly Variant[] }

/** What the runs of a submission may cost, in their order. */
export type Charges = {
  experimentId: string
  each: readonly (LikelyCharge & { model: string | null })[]
  total: bigint
  ownKeyTotal: bigint
  uncounted: ReadonlyMap<string, string>
}

/** Estimating so many takes a few milliseconds. */
const estimatesAtOnce = 1000

/** Estimates the charge of each run of a submission: `variants` has the variant of each. Others have turns meanwhile. */
export async function readCharges(context: Context, db: Database, submission: Submission): Promise<Charges> {
  const { definition, variants } = submission
  const chargeOf = await estimateCharges(context, db, submission)
  const each: (LikelyCharge & { model: string | null })[] = []
  for (const [index, variant] of variants.entries()) {
    if (index % estimatesAtOnce === estimatesAtOnce - 1) await nextTurn()
    each.push({ ...chargeOf(variant), model: variant.model })
  }
  return {
    experimentId: definition.id,
    each,
    total: each.reduce((sum, { micros }) => sum + micros, 0n),
    ownKeyTotal: each.reduce((sum, { ownKeyMicros }) => sum + ownKeyMicros, 0n),
    uncounted: findUncounted(submission),
  }
}

/**
 * Holds the estimated charge of a submission's real runs, all of it or nothing, in the transaction that makes them visible. Returns the lots that
 * it is taken from, for `holdsOf`. Errors: `resource_exhausted` when the credit does not cover it, with a message that
 * the caller's role may read; `failed_precondition` for a run that a hard budget of a provider cannot count.
 */
export const holdCredit = (context: Context, tx: Database, charges: Charges, requestId: string) =>
  takeFromCredit(context, tx, charges, ({ account, now }) =>
    hold(account, { micros: charges.total, at: now, source: `request:${requestId}` }),
  )

/** The lots that `holdCredit` would take the charge from now. Errors: the same. */
export const planHold = (context: Context, tx: Database, charges: Charges) =>
  takeFromCredit(context, tx, charges, ({ account }) => partsOf(account, charges.total))

async function takeFromCredit(
  context: Context,
  tx: Database,
  { experimentId, each, total, ownKeyTotal, uncounted }: Charges,
  take: (open: OpenAccount) => HoldPart[] | null,
): Promise<HoldPart[]> {
  const runCount = each.length
  const ofProviders = sumByProvider(each)
  await requireBudget(context, tx, { experimentId, runCount, micros: total + ownKeyTotal, ofProviders, uncounted })
  if (total === 0n) return []
  return withAccount(tx, context.organization.id, (open) => {
    const parts = take(open)
    if (!parts) throw exhausted(refusal(context, open.account, { total, runCount }))
    return parts
  })
}

/** Returns a function that stores the holds of the next runs of a submission: call it for all of them, in their order. */
export function holdsOf({ organization, creditTerms }: Context, { each }: Charges, parts: readonly HoldPart[]) {
  const takeParts = portions(parts)
  let done = 0
  return async (tx: Database, runs: readonly { id: string }[]) => {
    const charges = each.slice(done, done + runs.length)
    done += runs.length
    await insertHolds(
      tx,
      charges.map(({ micros, platformKey, ownKeyMicros }, index) => ({
        runId: runs[index]?.id ?? '',
        organizationId: organization.id,
        parts: takeParts(micros).map((part) => ({ lotId: part.lotId, micros: String(part.micros) })),
        runRate: creditTerms.runRate,
        platformKey,
        ownKeyMicros,
      })),
    )
  }
}

/** By the id of the model, as what is spent. */
function sumByProvider(charges: Charges['each']) {
  const sums = new Map<string, { runCount: number; micros: bigint }>()
  for (const { model, micros, ownKeyMicros } of charges) {
    const provider = model === null ? null : providerOf({ id: model })
    if (provider === null) continue
    const sum = sums.get(provider) ?? { runCount: 0, micros: 0n }
    sums.set(provider, { runCount: sum.runCount + 1, micros: sum.micros + micros + ownKeyMicros })
  }
  return sums
}

function findUncounted({ definition, flags, variants }: Submission) {
  const found = new Map<string, string>()
  const different = new Map(variants.map((variant) => [variant.variantId, variant]))
  for (const variant of different.values())
    for (const provider of uncountedProviders(definition, variant, flags))
      found.set(provider, variant.model === null ? `agents.${variant.agent}` : `models.${variant.model}`)
  return found
}

/**
 * Errors: `resource_exhausted` when the credit does not cover this much. It holds nothing, so `holdCredit` can still
 * refuse.
 */
export const requireCredit = (context: Context, tx: Database, wanted: Wanted) =>
  withAccount(tx, context.organization.id, ({ account }) => {
    if (wanted.total > 0n && spendable(account) < wanted.total) throw exhausted(refusal(context, account, wanted))
  })

/** Divides the held credit of a submission among its runs, in order. */
function portions(parts: readonly HoldPart[]) {
  const rest = parts.map((part) => ({ ...part }))
  return (charge: bigint): HoldPart[] => {
    const taken: HoldPart[] = []
    let missing = charge
    while (missing > 0n && rest[0]) {
      const micros = rest[0].micros < missing ? rest[0].micros : missing
      taken.push({ lotId: rest[0].lotId, micros })
      rest[0].micros -= micros
      missing -= micros
      if (rest[0].micros === 0n) rest.shift()
    }
    return taken
  }
}

type Wanted = { total: bigint; runCount: number }

/** Members may not read the balance, so the refusal does not reveal it to them. */
function refusal({ organization }: Context, account: Account, { total, runCount }: Wanted) {
  const runs = runCount === 1 ? 'This run' : `These ${runCount} runs`
  const price = `${runs} may cost ${inDollars(total)}`
  if (!can(organization).readBalance) {
    return `${price}, more than the credit of ${organization.name} covers. Ask an admin to top it up, submit fewer runs, or use mock runs, which cost nothing`
  }
  const free = spendable(account)
  const held = totalHeld(account)
  const missing = total - free
  const topUp = missing > reloadRange.min ? missing : reloadRange.min
  const left = free > 0n ? `${inDollars(free)} of credit is available` : 'no credit is left'
  const waiting = held > 0n ? `, and ${inDollars(held)} is held for runs that have not ended` : ''
  return `${price}, but ${left}${waiting}: ${inDollars(missing)} is missing. Top up at least $${microsToDollars(roundedUp(topUp))} under Credits (POST /credits/reload), submit fewer runs, or use mock runs, which cost nothing`
}

const roundedUp = (micros: bigint) => ((micros + microsPerCent - 1n) / microsPerCent) * microsPerCent
const inDollars = (micros: bigint) => `$${microsToDollars(roundedUp(micros))}`
