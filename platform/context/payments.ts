/** A payment to be made in a browser. `id` is ours; the provider repeats it in every notice. */
export type Payment = {
  id: string
  amountMicros: bigint
  organizationName: string
  /** Where the person comes back to: pages show one organization, and they may see several. */
  organizationSlug: string
  email: string | undefined
}

/** The page the provider made for it. */
export type HostedPage = { providerId: string; url: string; expiresAt: number }

/** What was paid: in the smallest unit of a lower-case currency, as the provider counts. */
export type PaidAmount = { amount: bigint; currency: string }

/** What a verified notice says about one of our payments. */
export type Notice = ({ kind: 'paid'; id: string } & PaidAmount) | { kind: 'expired'; id: string }

type Provider = {
  /** May be called again for the same payment. Throws `unavailable` when the provider does not answer. */
  open: (payment: Payment) => Promise<HostedPage>
  /** Null for a notice about something else. Throws `invalid_argument` unless `signature` is the provider's over these bytes. */
  readNotice: (bytes: Buffer, signature: string | undefined) => Promise<Notice | null>
}

export type StripePayments = Provider & { provider: 'stripe' }

/** The local page says by a notice of its own that a payment was made. */
export type LocalPayments = Provider & {
  provider: 'local'
  signedNotice: (payment: { id: string; amountMicros: bigint }) => Promise<{ bytes: Buffer; signature: string }>
}

/** Whoever takes payments. */
export type Payments = StripePayments | LocalPayments
