import { z } from 'zod'

import { TopUp } from './credits.ts'
import { endpoint } from './endpoint.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** A top-up with who opened it. `hasReceipt` is true where Stripe was paid: only Stripe makes invoices and receipts. */
export const Payment = TopUp.extend({
  id: z.uuid(),
  /** Empty for a person who no longer exists. */
  requestedBy: z.string(),
  paidAt: Timestamp.nullable(),
  hasReceipt: z.boolean(),
})
export type Payment = z.infer<typeof Payment>

/** `local` is the test page of a platform without Stripe, where nobody is charged; null is a platform without payments. */
export const PaymentList = z.object({
  provider: z.enum(['stripe', 'local']).nullable(),
  payments: z.array(Payment),
  nextPageToken: z.string().optional(),
})
export type PaymentList = z.infer<typeof PaymentList>

/** An invoice where Stripe made one, otherwise the receipt of the charge. */
export const PaymentReceipt = z.object({ kind: z.enum(['invoice', 'receipt']), url: z.url() })
export type PaymentReceipt = z.infer<typeof PaymentReceipt>

const shared = { base: '/admin/v1', errors: ['invalid_argument', 'unauthenticated', 'permission_denied'] } as const

export const listPayments = endpoint({
  ...shared,
  name: 'payments.list',
  method: 'GET',
  path: '/payments',
  summary: 'List the payments of the organization, newest first (admins only)',
  query: z.object({ pageSize: limitParam(limits.payments), pageToken: z.string().optional() }),
  response: PaymentList,
})

export const getReceipt = endpoint({
  ...shared,
  name: 'payments.receipt',
  method: 'GET',
  path: '/payments/:paymentId/receipt',
  summary: 'Get the address of the invoice or receipt at Stripe (admins only)',
  response: PaymentReceipt,
  errors: [...shared.errors, 'not_found', 'failed_precondition', 'unavailable'],
})
