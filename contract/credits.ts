import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { dollarsToMicros, Micros, microsPerDollar } from './wire/micros.ts'
import { booleanParam, Timestamp } from './wire/query-values.ts'

/** `current`, `previous`, or the UTC calendar month in which a billing cycle began. */
export const Period = z
  .string()
  .regex(/^(current|previous|\d{4}-(0[1-9]|1[0-2]))$/, 'must be current, previous or YYYY-MM')
export type Period = z.infer<typeof Period>

const currency = z.literal('USD')

/** In spending order: base, then increment, then on-demand. */
export const bucketKinds = ['base', 'increment', 'on_demand'] as const
export const BucketKind = z.enum(bucketKinds)
export type BucketKind = z.infer<typeof BucketKind>

/** Credit of one kind that expires at one moment; on-demand credit never does, and is negative while credit is owed. */
export const Bucket = z.object({ kind: BucketKind, balanceMicros: Micros, expiresAt: Timestamp.optional() })
export type Bucket = z.infer<typeof Bucket>

/**
 * A hosted payment: `created` until the provider reports it paid, `posted` once its credit is in the balance. One of
 * another amount or currency is `mismatched` until the operator decides, then `posted` or `rejected`.
 */
export const TopUp = z.object({
  sessionId: z.string(),
  amountMicros: Micros,
  status: z.enum(['created', 'paid', 'posted', 'expired', 'mismatched', 'rejected']),
  createdAt: Timestamp,
  /** What was paid where it is not what was asked for: in the smallest unit of a lower-case ISO currency. */
  paid: z.object({ amount: z.string().regex(/^\d+$/), currency: z.string() }).optional(),
  /** What came into the balance, once it has. */
  postedMicros: Micros.optional(),
  /** The hosted page, while the payment can still be made there. */
  url: z.url().optional(),
})
export type TopUp = z.infer<typeof TopUp>

/**
 * Balances at `asOf`, credit held for unfinished runs included. `plan` and everything after `cycleFundedMicros` are
 * additions; `heldMicros`, `plan` and `topUps` tell of now, whatever the period.
 */
export const CreditBalance = z.object({
  periodStart: Timestamp,
  periodEnd: Timestamp,
  billingCycleId: z.string(),
  asOf: Timestamp,
  currency,
  totalBalanceMicros: Micros,
  freeBalanceMicros: Micros,
  planPaidBalanceMicros: Micros,
  paidBalanceMicros: Micros,
  cycleFundedMicros: Micros,
  plan: z.enum(['free', 'paid']),
  heldMicros: Micros,
  buckets: z.array(Bucket),
  /** The total at the end of each UTC day of the cycle, the last one at `asOf`. */
  burnDown: z.array(z.object({ at: Timestamp, balanceMicros: Micros })),
  /** Payments of the last day, and those the operator has still to decide on or just has; newest first. */
  topUps: z.array(TopUp),
})
export type CreditBalance = z.infer<typeof CreditBalance>

export const getBalance = endpoint({
  name: 'credits.balance',
  method: 'GET',
  path: '/credits/balance',
  summary: 'Prepaid credit of the organization at the end of a billing cycle, or now (admins only)',
  query: z.object({ period: Period.optional() }),
  response: CreditBalance,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})

export const SpendRow = z.object({
  key: z.string(),
  label: z.string(),
  managedSpendMicros: Micros,
  byokAttributionMicros: Micros,
})
export type SpendRow = z.infer<typeof SpendRow>

/** What runs that ended in the cycle cost. The echoes are empty where no grouping or filter is in effect. */
export const CreditSpend = z.object({
  periodStart: Timestamp,
  periodEnd: Timestamp,
  billingCycleId: z.string(),
  currency,
  groupBy: z.enum(['', 'experiment', 'user']),
  experimentId: z.string(),
  userId: z.string(),
  totalManagedSpendMicros: Micros,
  totalByokAttributionMicros: Micros,
  series: z.array(SpendRow),
})
export type CreditSpend = z.infer<typeof CreditSpend>

export const getSpend = endpoint({
  name: 'credits.spend',
  method: 'GET',
  path: '/credits/spend',
  summary: 'What the runs of a billing cycle cost: the whole organization for admins, their own for members',
  query: z.object({
    period: Period.optional(),
    groupBy: z.enum(['experiment', 'user']).optional(),
    experiment: z.string().optional(),
    user: z.string().optional(),
    includeByok: booleanParam(),
  }),
  response: CreditSpend,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})

/** Beside the API: the local payment page, and where the payment provider sends its notices. */
export const checkoutPath = '/checkout/'
export const webhookPath = '/webhooks/stripe'

/** Inclusive, in micros. */
export const reloadRange = { min: 5n * microsPerDollar, max: 5000n * microsPerDollar }

const isReloadable = (text: string) => {
  const micros = dollarsToMicros(text)
  return micros !== null && micros >= reloadRange.min && micros <= reloadRange.max
}

/** The rule of the amount, for the request and for the form. */
export const ReloadAmount = z
  .string({ error: ({ input }) => (input === undefined ? undefined : 'must be a string of dollars such as "25.00"') })
  .refine((text) => dollarsToMicros(text) !== null, 'must be plain dollars with at most two decimals, such as 25.00')
  .refine((text) => dollarsToMicros(text) === null || isReloadable(text), 'must be between 5 and 5000 USD')

export const CheckoutSession = z.object({
  url: z.url(),
  sessionId: z.string(),
  orgId: z.uuid(),
  amountUsd: z.string(),
  amountMicros: Micros,
  currency: z.literal('usd'),
})
export type CheckoutSession = z.infer<typeof CheckoutSession>

export const reloadCredits = endpoint({
  name: 'credits.reload',
  method: 'POST',
  path: '/credits/reload',
  summary: 'Open a hosted payment page; credit is posted once the provider reports it paid (admins only)',
  body: z.object({ amountUsd: ReloadAmount }),
  response: CheckoutSession,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'failed_precondition', 'unavailable'],
})
