import type { VerbInput } from '#contract/endpoint.ts'
import { noRunRules, type putRunPolicy, type RunPolicy } from '#contract/run-policy.ts'
import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { conflict } from '#platform/ground/failures/failure.ts'
import { findRunPolicy, replaceRunPolicy } from './store.ts'

type Organization = { organization: { id: string; slug: string } }

/** GET /admin/v1/run-policy: for everyone, because everyone submits runs. */
export async function getRunPolicy({ db, organization }: Pick<Context, 'db'> & Organization): Promise<RunPolicy> {
  const found = await findRunPolicy(db, organization.id)
  return { ...noRunRules, ...found?.rules, updatedAt: found?.updatedAt ?? null }
}

/**
 * PUT /admin/v1/run-policy. Runs that have started continue; others are checked again when they start. Errors: 409 if the
 * policy changed since `expectedUpdatedAt`.
 */
export const setRunPolicy = (
  context: Auditing & Organization,
  { expectedUpdatedAt, ...rules }: VerbInput<typeof putRunPolicy>,
): Promise<RunPolicy> =>
  audited(context, async (tx, record) => {
    const organizationId = context.organization.id
    const updatedAt = await clockNow(tx)
    if (!(await replaceRunPolicy(tx, { organizationId, rules, updatedAt, expectedUpdatedAt })))
      throw conflict(
        'The run policy changed since you read it, so nothing was saved. Read it again and resend your change',
      )
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
        models: rules.models,
        allowedModels: rules.allowedModels.join(' '),
        ...rules.providers,
        ownPrices: rules.ownPrices.map(({ model }) => model).join(' '),
        ...(maxTimeSeconds !== null && { maxTimeSeconds }),
        ...(maxCostUsd !== null && { maxCostUsd }),
      },
    })
    return { ...rules, updatedAt }
  })
