import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type {
  getReceipt as receiptEndpoint,
  listPayments as endpoint,
  PaymentList,
  PaymentReceipt,
} from '#contract/payments.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { toTopUp } from './list-top-ups.ts'
import { type CheckoutSession, findSession, findSessions } from './store.ts'

const position = z.tuple([Timestamp, z.uuid()])

/** GET /admin/v1/payments: those whose payment page was opened. */
export async function listPayments(
  { db, organization, payments }: Context,
  { pageSize, pageToken }: VerbInput<typeof endpoint>,
): Promise<PaymentList> {
  const limit = pageSize ?? limits.payments.default
  const listKey = ['payments', organization.id] as const
  const after = readPageToken(pageToken, position, listKey)
  const rows = await findSessions(db, organization.id, { after, limit: limit + 1 })
  const now = Date.parse(await clockNow(db))
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ session }) => [session.createdAt, session.id])
  return {
    provider: payments?.provider ?? null,
    payments: shown.map(({ session, requestedBy }) => ({
      ...toTopUp(session, now),
      id: session.id,
      requestedBy: requestedBy ?? '',
      paidAt: session.paidAt,
      hasReceipt: isPaidToStripe(session),
    })),
    ...next,
  }
}

const isPaidToStripe = ({ provider, paidAt }: CheckoutSession) => provider === 'stripe' && paidAt !== null

/**
 * GET /admin/v1/payments/{paymentId}/receipt: asked for when it is opened, because Stripe's addresses expire. Errors:
 * `not_found` for a payment of another organization, `failed_precondition` where Stripe made none.
 */
export async function getReceipt(
  { db, organization, payments }: Context,
  { paymentId }: VerbInput<typeof receiptEndpoint>,
): Promise<PaymentReceipt> {
  const session = isUuidText(paymentId) ? await findSession(db, paymentId) : null
  if (session?.organizationId !== organization.id) throw notFound('There is no such payment')
  if (!isPaidToStripe(session) || session.providerId === null)
    throw preconditionFailed('There is no receipt: Stripe was not paid for this')
  if (payments?.provider !== 'stripe')
    throw preconditionFailed('This platform no longer takes payments through Stripe. Ask its operator for the receipt')
  const receipt = await payments.findReceipt(session.providerId)
  if (!receipt) throw preconditionFailed('Stripe has made no invoice or receipt for this payment')
  return receipt
}
