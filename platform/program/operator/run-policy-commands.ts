import { z } from 'zod'

import { putRunPolicy } from '#contract/run-policy.ts'
import { requireOrganization } from '#platform/people/identity/require-organization.ts'
import { getRunPolicy, setRunPolicy } from '#platform/inputs/run-policies/manage-run-policy.ts'
import { command } from './command.ts'

const { expectedUpdatedAt: Stamp, ...ruleFields } = putRunPolicy.body.shape

const showCommand = command({
  name: 'run-policy show',
  input: z.object({ org: z.string() }),
  run: async (services, { org }) => {
    const organization = await requireOrganization(services.db, org)
    return [JSON.stringify(await getRunPolicy({ ...services, organization }), null, 2)]
  },
})

const setCommand = command({
  name: 'run-policy set',
  input: z.object({
    org: z.string(),
    rules: z.strictObject({ ...ruleFields, updatedAt: Stamp }).partial(),
  }),
  run: async (services, { org, rules }) => {
    const organization = await requireOrganization(services.db, org)
    const context = { ...services, organization }
    const { updatedAt, ...current } = await getRunPolicy(context)
    const { updatedAt: expectedUpdatedAt = updatedAt, ...changes } = rules
    await setRunPolicy(context, { ...current, ...changes, expectedUpdatedAt })
    return [`Saved the run policy of ${org}. Queued runs are checked again when they start`]
  },
})

export const runPolicyCommands = [showCommand, setCommand]
