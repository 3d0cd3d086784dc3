import type { VerbInput } from '#contract/endpoint.ts'
import type { deleteInsight as endpoint } from '#contract/insights.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notifyPublicationChange } from '#platform/results/publications/notify-publication-change.ts'
import { giveGraceAfterPublication } from '#platform/results/publications/give-grace.ts'
import { requireCanChange } from './policy.ts'
import { refuseChart } from './require-insight.ts'
import { findInsight, lockInsight, removeInsight } from './store.ts'

/**
 * DELETE /insights/{ref}: deletes the saved query and its publication together. A missing insight is not an error:
 * `deleted` is false. Errors: `permission_denied`, `invalid_argument` for a chart.
 */
export async function deleteInsight(
  context: Context,
  { ref }: VerbInput<typeof endpoint>,
): Promise<{ deleted: boolean }> {
  refuseChart(ref, 'deleted')
  const key = { organizationId: context.organization.id, reference: ref }
  return audited(context, async (tx, record) => {
    if (!(await lockInsight(tx, key))) return { deleted: false }
    const found = await findInsight(tx, key)
    if (!found) return { deleted: false }
    const { insight, publishedAt } = found
    requireCanChange(context, insight)
    await giveGraceAfterPublication(tx, insight.id)
    const deleted = await removeInsight(tx, insight.id)
    if (publishedAt !== null) {
      const { organizationId } = key
      record({ event: 'insight.revoke', organizationId, subject: insight.slug, details: { insightId: insight.id } })
      await notifyPublicationChange(context, tx, { type: 'insight.revoked', source: insight.id, insight })
    }
    return { deleted }
  })
}
