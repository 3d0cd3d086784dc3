import { z } from 'zod'

import { dollarsToMicros, microsToDollars } from '#contract/wire/micros.ts'
import { grantCredit } from '#platform/inputs/credits/grant-credit.ts'
import { decidePayment } from '#platform/inputs/credits/payments/decide-payment.ts'
import { listMismatched } from '#platform/inputs/credits/payments/list-mismatched.ts'
import { setPlan } from '#platform/inputs/credits/set-plan.ts'
import { showPlan } from '#platform/inputs/credits/show-plan.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { requireOrganization } from '#platform/people/identity/require-organization.ts'
import { command } from './command.ts'

const setPlanCommand = command({
  name: 'plan set',
  input: z.object({ org: z.string(), plan: z.enum(['free', 'paid']) }),
  run: async (services, { org, plan }) => {
    const organization = await requireOrganization(services.db, org)
    const change = await setPlan(services, organization.id, plan)
    return [`${org} is on the ${plan} plan (${change})`, ...(await showPlan(services, organization.id))]
  },
})

const showPlanCommand = command({
  name: 'plan show',
  input: z.object({ org: z.string() }),
  run: async (services, { org }) => {
    const organization = await requireOrganization(services.db, org)
    return showPlan(services, organization.id)
  },
})

const grantCommand = command({
  name: 'credits grant',
  input: z.object({ org: z.string(), usd: z.string(), reference: z.string().min(1).optional() }),
  run: async (services, { org, usd, reference }) => {
    const organization = await requireOrganization(services.db, org)
    const micros = dollarsToMicros(usd)
    if (micros === null || micros === 0n) throw invalid(`"${usd}" is not an amount: use plain dollars such as 25.00`)
    const isNew = await grantCredit(services, { organizationId: organization.id, micros, reference })
    return [isNew ? `Granted $${usd} to ${org}` : `Nothing granted: reference "${reference}" was already used`]
  },
})

const paymentsCommand = command({
  name: 'credits payments',
  input: z.object({}),
  run: async (services) => {
    const lines = await listMismatched(services)
    return lines.length > 0 ? lines : ['No payments on hold']
  },
})

const decideCommand = command({
  name: 'credits decide',
  input: z.object({ session: z.string(), decision: z.enum(['accepted', 'rejected']), usd: z.string().optional() }),
  run: async (services, decision) => {
    const posted = await decidePayment(services, decision)
    return [posted > 0n ? `Accepted: added $${microsToDollars(posted)} of credit` : 'Rejected: no credit added']
  },
})

export const creditCommands = [setPlanCommand, showPlanCommand, grantCommand, paymentsCommand, decideCommand]
