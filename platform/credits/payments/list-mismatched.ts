import { microsPerCent, microsToDollars } from '#contract/wire/micros.ts'
import type { Services } from '#platform/context/context.ts'
import { findMismatched } from '#platform/credits/payment-store.ts'

/** For operators: the payments that are not what was asked for and wait for a decision, first paid first, a line each. */
export async function listMismatched({ db }: Pick<Services, 'db'>): Promise<string[]> {
  const rows = await findMismatched(db)
  return rows.map(
    ({ session: { id, providerId, amountMicros, paidAmount, paidCurrency, paidAt }, organizationSlug }) =>
      `${providerId ?? id}  ${organizationSlug}  asked for $${microsToDollars(amountMicros)}, paid ${paidWords(paidAmount, paidCurrency)} at ${paidAt}`,
  )
}

/** Other currencies have other smallest units, and providers count some of them in ways of their own. */
const paidWords = (amount: bigint | null, currency: string | null) =>
  currency === 'usd' && amount !== null
    ? `$${microsToDollars(amount * microsPerCent)}`
    : `${amount} of the smallest unit of ${currency?.toUpperCase()}`
