import { v7 as newId } from 'uuid'

import type { CheckoutSession, reloadCredits as endpoint } from '#contract/credits.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { dollarsToMicros, microsToDollars } from '#contract/wire/micros.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { invalid, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { insertSession, setHostedPage } from './store.ts'

/**
 * POST /credits/reload: opens a hosted payment page. It moves no credit; the provider's notice posts the credit later.
 * Errors: `invalid_argument` for the amount, `failed_precondition` where the platform takes no payments, `unavailable`
 * when the provider does not answer.
 */
export async function reloadCredits(
  { db, organization, caller, payments }: Context,
  { amountUsd }: VerbInput<typeof endpoint>,
): Promise<CheckoutSession> {
  const amountMicros = dollarsToMicros(amountUsd)
  if (amountMicros === null) throw invalid('`amountUsd` must be an amount in dollars, such as 25 or 12.50')
  if (!payments) throw preconditionFailed('This platform takes no payments: no payment provider is configured')
  const id = newId()
  const { id: organizationId, name: organizationName, slug: organizationSlug } = organization
  const session = { id, organizationId, userId: caller.recordedUnder, provider: payments.provider, amountMicros }
  await insertSession(db, { ...session, createdAt: await clockNow(db) })
  const page = await payments.open({ id, amountMicros, organizationName, organizationSlug, email: caller.actor.email })
  await setHostedPage(db, id, page)
  return {
    url: page.url,
    sessionId: page.providerId,
    orgId: organizationId,
    amountUsd: microsToDollars(amountMicros),
    amountMicros: String(amountMicros),
    currency: 'usd',
  }
}
