import type { Services } from '#platform/context.ts'
import { notFound } from '#platform/failure.ts'
import { withAccount } from '#platform/credits/open-account.ts'
import { findSession, markExpired, markPaid } from './store.ts'

/**
 * Takes a payment provider's notice: duplicates, old news and notices in any order leave one posting or none. That a
 * session is paid is written down first, so that credit is posted even when this process dies right after.
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
  if (notice.currency !== 'usd' || notice.amountMicros !== session.amountMicros) {
    console.error(`The payment of checkout session ${session.id} is not what was asked for; nothing was posted`)
    return
  }
  await markPaid(db, session.id)
  await db.transaction((tx) => withAccount(tx, session.organizationId, () => {}))
}
