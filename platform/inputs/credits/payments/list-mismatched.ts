import { microsPerCent, microsToDollars } from '#contract/wire/micros.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { findMismatched } from './store.ts'

/**
 * For operators: one line for each payment that differs from its request and awaits a decision, earliest payment first.
 */
export async function listMismatched({ db }: Pick<Services, 'db'>): Promise<string[]> {
  const rows = await findMismatched(db)
  return rows.map(
    ({ session: { id, providerId, amountMicros, paidAmount, paidCurrency, paidAt }, organizationSlug }) =>
      `${providerId ?? id}  ${organizationSlug}  requested $${microsToDollars(amountMicros)}, paid ${paidWords(paidAmount, paidCurrency)} at ${paidAt}`,
  )
}

/** Other currencies have other smallest units, and providers count some of them differently. */
const paidWords = (amount: bigint | null, currency: string | null) =>
  currency === 'usd' && amount !== null
    ? `$${microsToDollars(amount * microsPerCent)}`
    : `${amount} in the smallest unit of ${currency?.toUpperCase()}`
