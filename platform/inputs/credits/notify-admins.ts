import type { Database } from '#platform/ground/database/open-database.ts'
import { notify } from '#platform/people/notifications/notify.ts'

type PostedCredit = { organizationId: string; source: string; micros: bigint; origin: 'top_up' | 'grant' }

/** Notifies the admins, because only they may read the balance. Call it last in the transaction, like every notice. */
export const notifyCreditPosted = (tx: Database, { organizationId, source, micros, origin }: PostedCredit) =>
  notify(tx, {
    type: 'credit.posted',
    organizationId,
    source: `credit:${organizationId}:${source}`,
    actor: null,
    subject: { type: 'credit', id: organizationId },
    payload: { amount_micros: String(micros), origin },
    to: { roles: ['admin'] },
  })

type MismatchedPayment = {
  id: string
  organizationId: string
  amountMicros: bigint
  paidAmount: bigint
  paidCurrency: string
}

/** Notifies the admins that a payment differs from the request and is on hold, or was rejected by the operator. */
export const notifyPaymentWithheld = (tx: Database, payment: MismatchedPayment, decision: 'pending' | 'rejected') =>
  notify(tx, {
    type: 'credit.withheld',
    organizationId: payment.organizationId,
    source: `credit.withheld:${payment.id}:${decision}`,
    actor: null,
    subject: { type: 'credit', id: payment.organizationId },
    payload: {
      asked_micros: String(payment.amountMicros),
      paid_amount: String(payment.paidAmount),
      paid_currency: payment.paidCurrency,
      decision,
    },
    to: { roles: ['admin'] },
  })
