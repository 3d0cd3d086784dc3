import { dollarsToMicros, microsPerCent } from '#contract/wire/micros.ts'
import type { Services } from '#platform/context/context.ts'
import { announceWithheld } from '#platform/credits/announce-credit.ts'
import { withAccount } from '#platform/credits/open-account.ts'
import { conflict, invalid, notFound } from '#platform/failures/failure.ts'
import { type CheckoutSession, decideMismatched, findNamedSession } from '#platform/credits/payment-store.ts'

/** `session`: the provider's name for it, or ours. `usd`: what a payment in another currency is worth. */
type Decision = { session: string; decision: 'accepted' | 'rejected'; usd?: string | undefined }

/**
 * The operator's word on a payment that is not what was asked for, once: accepted, what was really paid is posted;
 * rejected, nothing ever is. The admins are told of either. Deciding the same again changes nothing. Answers the micros
 * that were posted. Errors: `not_found`; `invalid_argument` for an amount that is missing or not for the operator to say;
 * `already_exists` when it was decided otherwise.
 */
export async function decidePayment({ db }: Pick<Services, 'db'>, { session: name, decision, usd }: Decision) {
  const session = await findNamedSession(db, name)
  if (!session) throw notFound(`There is no payment ${name}`)
  const { id, organizationId, paidAmount, paidCurrency } = session
  if (paidAmount === null || paidCurrency === null)
    throw invalid(`Payment ${name} is as asked for: nothing is to be decided`)
  const accepted = decision === 'accepted' ? worthOf({ paidAmount, paidCurrency }, usd) : null
  await db.transaction(async (tx) => {
    if (!(await decideMismatched(tx, id, accepted))) return guardSame(await findNamedSession(tx, id), accepted)
    if (accepted === null) await announceWithheld(tx, { ...session, paidAmount, paidCurrency }, 'rejected')
    else await withAccount(tx, organizationId, () => {})
  })
  return accepted ?? 0n
}

type Paid = { paidAmount: bigint; paidCurrency: string }

function worthOf({ paidAmount, paidCurrency }: Paid, usd: string | undefined) {
  if (paidCurrency === 'usd') {
    if (usd !== undefined) throw invalid('It was paid in dollars: what was paid is what is posted')
    if (paidAmount === 0n) throw invalid('Nothing was paid: it can only be rejected')
    return paidAmount * microsPerCent
  }
  const micros = usd === undefined ? null : dollarsToMicros(usd)
  if (micros === null || micros === 0n) {
    throw invalid(`It was paid in ${paidCurrency.toUpperCase()}: say what that is worth, such as --usd 25.00`)
  }
  return micros
}

function guardSame(session: CheckoutSession | null, accepted: bigint | null) {
  if (session?.acceptedMicros === accepted && session.decidedAt !== null) return
  throw conflict('The payment was decided otherwise before; nothing was changed')
}
