import { localPayments } from './local-payments.ts'
import type { Payments } from '#platform/context/payments.ts'
import { stripePayments } from './stripe-payments.ts'

/** How an operator takes payments: keys of Stripe, or on an embedded platform the local page. */
export type PaymentSettings = {
  stripe: { secretKey: string; webhookSecret: string; apiUrl: string | undefined } | undefined
  isEmbedded: boolean
  publicUrl: string
}

/** Null where nobody takes payments: a shared platform without keys of a provider. */
export function openPayments({ stripe, isEmbedded, publicUrl }: PaymentSettings): Payments | null {
  if (stripe) return stripePayments({ ...stripe, publicUrl })
  return isEmbedded ? localPayments({ publicUrl }) : null
}
