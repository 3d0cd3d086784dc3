import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import type { shareInsight as endpoint } from '#contract/insights.ts'
import { audited } from '#platform/audit/audited.ts'
import type { Context } from '#platform/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { preconditionFailed } from '#platform/failure.ts'
import { lockOwnInsight, refuseChart, refuseLegacy } from '#platform/insights/require-insight.ts'
import { publicUrlOf } from './public-url.ts'
import { findPublication, insertPublication } from './store.ts'
import { tellOfPublication } from './tell-of-publication.ts'
import { hashToken, tokenOf } from './token.ts'

/**
 * POST /insights/{ref}/share: the URL where anyone sees the live result. The first call freezes what the insight is; every
 * later or concurrent one answers the same URL.
 * Errors: `not_found`, `permission_denied`, `invalid_argument` for a chart, `failed_precondition` for a legacy insight or an
 * installation without the key.
 */
export async function shareInsight(context: Context, { ref }: VerbInput<typeof endpoint>): Promise<{ url: string }> {
  refuseChart(ref, 'published')
  const publication = await audited(context, async (tx, record) => {
    const insight = await lockOwnInsight(tx, context, ref)
    refuseLegacy(insight, 'shared')
    const existing = await findPublication(tx, insight.id)
    if (existing) return existing
    const { heading, sql, description, presentation, provenance, experimentId, runId, includeTestAware } = insight
    const frozen = { heading, sql, description, presentation, provenance, experimentId, runId, includeTestAware }
    const key = context.keys.current('publications')
    const id = newId()
    await insertPublication(tx, {
      ...frozen,
      id,
      insightId: insight.id,
      organizationId: context.organization.id,
      tokenHash: hashToken(tokenOf(id, key)),
      keyId: key.id,
      publishedBy: context.caller.userId,
      publishedAt: await clockNow(tx),
    })
    const organizationId = context.organization.id
    record({ event: 'insight.share', organizationId, subject: insight.slug, details: { insightId: insight.id } })
    await tellOfPublication(context, tx, { type: 'insight.published', source: id, insight })
    return { id, keyId: key.id }
  })
  const url = publicUrlOf(context, publication)
  if (!url) throw preconditionFailed('The key this insight was published with is gone; delete and save it again')
  return { url }
}
