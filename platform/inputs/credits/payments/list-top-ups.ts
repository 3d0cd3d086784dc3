import type { TopUp } from '#contract/credits.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { type CheckoutSession, findRecentSessions } from './store.ts'

/** The organization's recent payments and the mismatched ones, newest first. */
export const listTopUps = async (tx: Database, organizationId: string, now: number) =>
  (await findRecentSessions(tx, organizationId)).map((session) => toTopUp(session, now))

export function toTopUp(session: CheckoutSession, now: number): TopUp {
  const { providerId, amountMicros, acceptedMicros, paidAmount, paidCurrency, createdAt, expiresAt, url } = session
  const status = session.status === 'created' && Date.parse(expiresAt) <= now ? 'expired' : session.status
  const isOpen = status === 'created' && url !== null
  return {
    sessionId: providerId ?? session.id,
    amountMicros: String(amountMicros),
    status,
    createdAt,
    ...(paidAmount !== null && paidCurrency && { paid: { amount: String(paidAmount), currency: paidCurrency } }),
    ...(status === 'posted' && { postedMicros: String(acceptedMicros ?? amountMicros) }),
    ...(isOpen && { url }),
  }
}
