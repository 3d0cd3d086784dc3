import type { VerbInput } from '#contract/endpoint.ts'
import type { deleteInsight as endpoint } from '#contract/insights.ts'
import type { Context } from '#platform/context.ts'
import { requireMayChange } from './policy.ts'
import { refuseChart } from './require-insight.ts'
import { findInsight, removeInsight } from './store.ts'

/**
 * DELETE /insights/{ref}: the saved query and its publication, at once. A missing one is no error: `deleted` is false.
 * Errors: `permission_denied`, `invalid_argument` for a chart.
 */
export async function deleteInsight(
  context: Context,
  { ref }: VerbInput<typeof endpoint>,
): Promise<{ deleted: boolean }> {
  refuseChart(ref, 'deleted')
  const found = await findInsight(context.db, { organizationId: context.organization.id, reference: ref })
  if (!found) return { deleted: false }
  requireMayChange(context, found.insight)
  return { deleted: await removeInsight(context.db, found.insight.id) }
}
