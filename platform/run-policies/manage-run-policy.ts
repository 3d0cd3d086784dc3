import type { VerbInput } from '#contract/endpoint.ts'
import { noRunRules, type putRunPolicy, type RunPolicy } from '#contract/run-policy.ts'
import { audited } from '#platform/audit/audited.ts'
import type { Context } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { findRunPolicy, upsertRunPolicy } from './store.ts'

/** GET /admin/v1/run-policy: for everyone, because everyone submits runs. */
export async function getRunPolicy({ db, organization }: Context): Promise<RunPolicy> {
  const found = await findRunPolicy(db, organization.id)
  return { ...noRunRules, ...found?.rules, updatedAt: found?.updatedAt ?? null }
}

/** PUT /admin/v1/run-policy. Runs that have started go on; others are checked again when they start. */
export const setRunPolicy = (context: Context, rules: VerbInput<typeof putRunPolicy>): Promise<RunPolicy> =>
  audited(context, async (tx, record) => {
    const organizationId = context.organization.id
    const updatedAt = await clockNow(tx)
    await upsertRunPolicy(tx, { organizationId, rules, updatedAt })
    const { network, images, maxTimeSeconds, maxCostUsd } = rules
    record({
      organizationId,
      event: 'run-policy.set',
      subject: context.organization.slug,
      details: {
        network,
        images,
        allowedHosts: rules.allowedHosts.join(' '),
        blockedHosts: rules.blockedHosts.join(' '),
        registries: rules.registries.join(' '),
        ...(maxTimeSeconds !== null && { maxTimeSeconds }),
        ...(maxCostUsd !== null && { maxCostUsd }),
      },
    })
    return { ...rules, updatedAt }
  })
