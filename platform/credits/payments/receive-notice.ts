import type { Services } from '#platform/context/context.ts'
import { announceWithheld } from '#platform/credits/announce-credit.ts'
import { withAccount } from '#platform/credits/open-account.ts'
import type { Database } from '#platform/database/open-database.ts'
import { notFound } from '#platform/failures/failure.ts'
import { toCents } from './cents.ts'
import type { PaidAmount } from '#platform/context/payments.ts'
import {
  type CheckoutSession,
  findSession,
  markExpired,
  markMismatched,
  markPaid,
} from '#platform/credits/payment-store.ts'

/**
 * Takes a payment provider's notice: duplicates, old news and notices in any order leave one posting or none. That a
 * session is paid is written down first, so that credit is posted even when this process dies right after. A payment of
 * anything but what was asked for posts nothing until the operator has decided (decide-payment.ts).
 * Errors: `invalid_argument` for a notice that is not the provider's.
 */
export async function receiveNotice(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  { bytes, signature }: { bytes: Buffer; signature: string | undefined },
) {
  if (!payments) throw notFound('This platform takes no payments')
  const notice = await payments.readNotice(bytes, signature)
  const session = notice && (await findSession(db, notice.id))
  // The provider may tell us of payments that are not ours; it must not send them again and again.
  if (!session || session.provider !== payments.provider || session.status === 'posted') return
  if (notice.kind === 'expired') return markExpired(db, session.id)
  if (notice.currency !== 'usd' || notice.amount !== toCents(session.amountMicros)) return withhold(db, session, notice)
  await markPaid(db, session.id)
  await db.transaction((tx) => withAccount(tx, session.organizationId, () => {}))
}

/** Written down and told to the admins at once or not at all. A session that was paid, or is withheld, stays as it is. */
const withhold = (db: Database, session: CheckoutSession, paid: PaidAmount) =>
  db.transaction(async (tx) => {
    if (!(await markMismatched(tx, session.id, paid))) return
    console.error(`Checkout session ${session.id} was paid, but not as asked for: "credits payments" lists it`)
    await announceWithheld(tx, { ...session, paidAmount: paid.amount, paidCurrency: paid.currency }, 'pending')
  })
