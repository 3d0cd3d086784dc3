import { randomUUID } from 'node:crypto'

import { and, eq, inArray, sum } from 'drizzle-orm'
import { Stripe } from 'stripe'

import { receiveNotice } from '#platform/inputs/credits/payments/receive-notice.ts'
import { stripePayments } from '#platform/inputs/credits/payments/stripe-payments.ts'
import {
  checkoutSessions,
  creditEntries,
  creditLots,
  creditPostings,
} from '#platform/ground/database/tables/credits.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { memberships, users } from '#platform/ground/database/tables/identity.ts'
import { notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { addOrganization } from './finished-runs.ts'

export const webhookSecret = 'whsec_of_this_test'

export type Facts = { type?: string; status?: string; cents?: number; currency?: string }

/** A Stripe event about one of our checkout sessions. */
export function event(id: string, { type = 'completed', status = 'paid', cents = 2500, currency = 'usd' }: Facts = {}) {
  const object = { id: 'cs_test', client_reference_id: id, payment_status: status, amount_total: cents, currency }
  return JSON.stringify({ id: `evt_${randomUUID()}`, type: `checkout.session.${type}`, data: { object } })
}

export const sign = (payload: string, secret = webhookSecret) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret })

export type TestPayments = ReturnType<typeof openTestPayments>

/** Top-ups of $25 through Stripe, their notices, and the results of both. */
export function openTestPayments(db: Database) {
  const payments = stripePayments({
    secretKey: 'sk_test_unused',
    webhookSecret,
    apiUrl: undefined,
    makesInvoices: false,
    publicUrl: 'https://assay.example',
  })
  return {
    deliver: (payload: string, signature = sign(payload)) =>
      receiveNotice({ db, payments }, { bytes: Buffer.from(payload), signature: signature || undefined }),

    async aSession(organizationId: string) {
      const id = randomUUID()
      const now = new Date().toISOString()
      const facts = { userId: randomUUID(), provider: 'stripe' as const, createdAt: now, expiresAt: now }
      await db
        .insert(checkoutSessions)
        .values({ id, organizationId, ...facts, status: 'created', amountMicros: 25_000_000n })
      return id
    },

    /** `told` is the list of notifications to its admin, in order. */
    async anOrganizationWithAdmin() {
      const organizationId = await addOrganization(db)
      const userId = randomUUID()
      await db.insert(users).values({ id: userId, email: `${userId}@lab.example`, name: 'Admin' })
      await db.insert(memberships).values({ organizationId, userId, role: 'admin' })
      const notifications = async () =>
        (await db.select().from(notificationEvents).where(eq(notificationEvents.organizationId, organizationId)))
          .toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt))
          .map(({ type, payload }) => ({ type, payload }))
      return { organizationId, notifications }
    },

    statuses: async (organizationId: string) =>
      Object.fromEntries(
        (await db.select().from(checkoutSessions).where(eq(checkoutSessions.organizationId, organizationId))).map(
          ({ id, status }) => [id, status],
        ),
      ),

    /** By the postings themselves: the sums the platform keeps beside them could agree with each other and be wrong. */
    async onDemand(organizationId: string) {
      const [row] = await db
        .select({ micros: sum(creditPostings.micros) })
        .from(creditPostings)
        .innerJoin(creditEntries, eq(creditEntries.id, creditPostings.entryId))
        .innerJoin(creditLots, eq(creditLots.id, creditPostings.lotId))
        .where(
          and(
            eq(creditEntries.organizationId, organizationId),
            eq(creditLots.bucket, 'on_demand'),
            inArray(creditPostings.account, ['available', 'held']),
          ),
        )
      return BigInt(row?.micros ?? 0)
    },
  }
}
