import type { VerbInput } from '#contract/endpoint.ts'
import type { shareInsight as endpoint } from '#contract/insights.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { lockChangeableInsight, refuseChart, refuseLegacy } from '#platform/results/insights/require-insight.ts'
import { freezeInsight } from '#platform/results/publications/freeze-insight.ts'
import { publicUrlOf } from '#platform/results/publications/public-url.ts'
import { notifyPublicationChange } from '#platform/results/publications/notify-publication-change.ts'

/**
 * POST /insights/{ref}/share: returns the URL where anyone can open the live result. The first call freezes the
 * insight's definition; every later or concurrent call returns the same URL.
 * Errors: `not_found`, `permission_denied`, `invalid_argument` for a chart, `failed_precondition` for a legacy insight
 * or when the installation lacks the key.
 */
export async function shareInsight(context: Context, { ref }: VerbInput<typeof endpoint>): Promise<{ url: string }> {
  refuseChart(ref, 'published')
  const publication = await audited(context, async (tx, record) => {
    const insight = await lockChangeableInsight(tx, context, ref)
    refuseLegacy(insight, 'shared')
    const { publication, isNew } = await freezeInsight(context, tx, insight)
    if (!isNew) return publication
    const organizationId = context.organization.id
    record({ event: 'insight.share', organizationId, subject: insight.slug, details: { insightId: insight.id } })
    await notifyPublicationChange(context, tx, { type: 'insight.published', source: publication.id, insight })
    return publication
  })
  const url = publicUrlOf(context, publication)
  if (!url)
    throw preconditionFailed('The encryption key of this publication is missing. Delete the insight and save it again')
  return { url }
}
