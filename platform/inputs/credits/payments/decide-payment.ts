import { dollarsToMicros, microsPerCent } from '#contract/wire/micros.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { notifyPaymentWithheld } from '#platform/inputs/credits/notify-admins.ts'
import { withAccount } from '#platform/inputs/credits/open-account.ts'
import { conflict, invalid, notFound } from '#platform/ground/failures/failure.ts'
import { type CheckoutSession, decideMismatched, findNamedSession } from './store.ts'

/** `session`: the provider's id or ours. `usd`: the value in dollars of a payment in another currency. */
type Decision = { session: string; decision: 'accepted' | 'rejected'; usd?: string | undefined }

/**
 * Records the operator's decision on a payment that differs from its request. An accepted payment posts the paid
 * amount; a rejected one never posts credit. The admins are notified of both. The same decision again changes nothing.
 * Returns the posted micros. Errors: `not_found`; `invalid_argument` when the value is missing or not the operator's to
 * choose; `already_exists` after a different decision.
 */
export async function decidePayment({ db }: Pick<Services, 'db'>, { session: name, decision, usd }: Decision) {
  const session = await findNamedSession(db, name)
  if (!session) throw notFound(`Payment ${name} not found`)
  const { id, organizationId, paidAmount, paidCurrency } = session
  if (paidAmount === null || paidCurrency === null)
    throw invalid(`Payment ${name} matches its request, so there is nothing to decide`)
  const accepted = decision === 'accepted' ? worthOf({ paidAmount, paidCurrency }, usd) : null
  await db.transaction(async (tx) => {
    if (!(await decideMismatched(tx, id, accepted))) return guardSame(await findNamedSession(tx, id), accepted)
    if (accepted === null) await notifyPaymentWithheld(tx, { ...session, paidAmount, paidCurrency }, 'rejected')
    else await withAccount(tx, organizationId, () => {})
  })
  return accepted ?? 0n
}

type Paid = { paidAmount: bigint; paidCurrency: string }

function worthOf({ paidAmount, paidCurrency }: Paid, usd: string | undefined) {
  if (paidCurrency === 'usd') {
    if (usd !== undefined)
      throw invalid('The payment was made in dollars, so its own amount is posted. Leave out --usd')
    if (paidAmount === 0n) throw invalid('The paid amount is 0, so the payment can only be rejected')
    return paidAmount * microsPerCent
  }
  const micros = usd === undefined ? null : dollarsToMicros(usd)
  if (micros === null || micros === 0n) {
    throw invalid(
      `The payment was made in ${paidCurrency.toUpperCase()}. Give its value in dollars, such as --usd 25.00`,
    )
  }
  return micros
}

function guardSame(session: CheckoutSession | null, accepted: bigint | null) {
  if (session?.acceptedMicros === accepted && session.decidedAt !== null) return
  throw conflict('This payment already has a different decision; nothing was changed')
}
