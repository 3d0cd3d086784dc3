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
import { estimateCharges } from './estimate-charges.ts'
import { providerOf } from '#platform/ground/models/providers.ts'
import { uncountedProviders } from '#platform/ground/models/uncounted-providers.ts'
import { hold } from './ledger.ts'
import { withAccount } from './open-account.ts'
import { insertHolds } from './store.ts'

type Submission = {
  requestId: string
  definition: Definition
  flags: readonly string[]
  runs: readonly (Variant & { id: string })[]
}

/**
 * Holds the estimated charge of a submission's real runs, all of it or nothing, in the transaction that inserts them.
 * Errors: `resource_exhausted` when the credit does not cover it, with a message that the caller's role may read;
 * `failed_precondition` for a run that a hard budget of a provider cannot count.
 */
export async function reserveCredit(context: Context, tx: Database, submission: Submission) {
  const { organization, creditTerms } = context
  const chargeOf = await estimateCharges(context, tx, submission)
  const charges = submission.runs.map((run) => ({ run, ...chargeOf(run) }))
  const total = charges.reduce((sum, { micros }) => sum + micros, 0n)
  const ownKeyTotal = charges.reduce((sum, { ownKeyMicros }) => sum + ownKeyMicros, 0n)
  await requireBudget(context, tx, {
    experimentId: submission.definition.id,
    runCount: charges.length,
    micros: total + ownKeyTotal,
    ofProviders: sumByProvider(charges),
    uncounted: findUncounted(submission),
  })
  const parts =
    total === 0n
      ? []
      : await withAccount(tx, organization.id, ({ account, now }) => {
          const held = hold(account, { micros: total, at: now, source: `request:${submission.requestId}` })
          if (!held) throw exhausted(refusal(context, account, { total, runCount: charges.length }))
          return held
        })
  const takeParts = portions(parts)
  await insertHolds(
    tx,
    charges.map(({ run, micros, platformKey, ownKeyMicros }) => ({
      runId: run.id,
      organizationId: organization.id,
      parts: takeParts(micros).map((part) => ({ lotId: part.lotId, micros: String(part.micros) })),
      runRate: creditTerms.runRate,
      platformKey,
      ownKeyMicros,
    })),
  )
}

type Charged = { run: Variant; micros: bigint; ownKeyMicros: bigint }

/** By the id of the model, as what is spent. */
function sumByProvider(charges: readonly Charged[]) {
  const sums = new Map<string, { runCount: number; micros: bigint }>()
  for (const { run, micros, ownKeyMicros } of charges) {
    const provider = run.model === null ? null : providerOf({ id: run.model })
    if (provider === null) continue
    const sum = sums.get(provider) ?? { runCount: 0, micros: 0n }
    sums.set(provider, { runCount: sum.runCount + 1, micros: sum.micros + micros + ownKeyMicros })
  }
  return sums
}

function findUncounted({ definition, flags, runs }: Submission) {
  const found = new Map<string, string>()
  const variants = new Map(runs.map((run) => [run.variantId, run]))
  for (const variant of variants.values())
    for (const provider of uncountedProviders(definition, variant, flags))
      found.set(provider, variant.model === null ? `agents.${variant.agent}` : `models.${variant.model}`)
  return found
}

/**
 * Errors: `resource_exhausted` when the credit does not cover this much. It holds nothing, so `reserveCredit` can still
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
