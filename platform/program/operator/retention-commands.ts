import { z } from 'zod'

import { putRetention, retentionKinds, RetentionPolicy, RetentionRules } from '#contract/retention.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { requireOrganization } from '#platform/people/identity/require-organization.ts'
import { getRetention, setRetention } from '#platform/results/retention/manage-retention.ts'
import { previewRetention } from '#platform/results/retention/preview-retention.ts'
import { skipGrace } from '#platform/results/retention/skip-grace.ts'
import { sweepRetention } from '#platform/results/retention/sweep-retention.ts'
import { command } from './command.ts'

/** What `show` printed may be sent back as it is. */
const rules = RetentionPolicy.extend({ updatedAt: putRetention.body.shape.expectedUpdatedAt }).strict().partial()

const contextOf = async (services: Services, org: string) => ({
  ...services,
  organization: await requireOrganization(services.db, org),
})

const showCommand = command({
  name: 'retention show',
  input: z.object({ org: z.string() }),
  run: async (services, { org }) => [JSON.stringify(await getRetention(await contextOf(services, org)), null, 2)],
})

const previewCommand = command({
  name: 'retention preview',
  input: z.object({ org: z.string(), rules }),
  run: async (services, input) => {
    const context = await contextOf(services, input.org)
    const proposed = RetentionRules.parse({ ...(await getRetention(context)), ...input.rules })
    return [JSON.stringify(await previewRetention(context, proposed), null, 2)]
  },
})

const setCommand = command({
  name: 'retention set',
  input: z.object({ org: z.string(), rules }),
  run: async (services, { org, rules: changes }) => {
    const context = await contextOf(services, org)
    const current = await getRetention(context)
    const expectedUpdatedAt = changes.updatedAt === undefined ? current.updatedAt : changes.updatedAt
    const next = RetentionRules.parse({ ...current, ...changes })
    const saved = await setRetention(context, { ...next, expectedUpdatedAt })
    return [`Saved the retention of ${org}. ${whenText(saved)}`]
  },
})

/** Relaxed rules have no wait, so their time is the past. */
function whenText({ removesFrom, updatedAt, ...rules }: RetentionPolicy) {
  if (retentionKinds.every((kind) => rules[kind] === null)) return 'No rule removes anything'
  return removesFrom !== null && updatedAt !== null && removesFrom > updatedAt
    ? `Nothing is removed before ${removesFrom}`
    : 'The hourly cleanup removes what the rules name'
}

const sweepCommand = command({
  name: 'retention sweep',
  input: z.object({ org: z.string(), withoutGrace: z.boolean().default(false) }),
  writesAnalytics: true,
  run: async (services, { org, withoutGrace }) => {
    const context = await contextOf(services, org)
    const { id } = context.organization
    if (withoutGrace) await skipGrace(context)
    const before = (await getRetention(context)).lastSweep?.at
    await sweepRetention(services, { organizationId: id })
    const { removesFrom, lastSweep } = await getRetention(context)
    if (lastSweep && lastSweep.at !== before) {
      const removed = retentionKinds.filter((kind) => lastSweep.removed[kind] > 0)
      return removed.map((kind) => `${kind}: removed ${lastSweep.removed[kind]}`)
    }
    const isEarly = removesFrom !== null && removesFrom > new Date().toISOString()
    return [isEarly ? `Nothing is removed before ${removesFrom}` : 'There was nothing to remove']
  },
})

export const retentionCommands = [showCommand, previewCommand, setCommand, sweepCommand]
