import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { updateInsight as endpoint } from '#contract/insights.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { checkInsightSql } from './insight-sql.ts'
import { requireCanChange } from './policy.ts'
import { insightNotFound, refuseChart, requireInsight } from './require-insight.ts'
import { changeInsight } from './store.ts'
import { toInsight } from './to-insight.ts'

type Input = VerbInput<typeof endpoint>

/**
 * PATCH /insights/{ref}: changes the sent fields only. '' clears the description, [] or `clear_labels` the labels. A
 * publication keeps its frozen definition. Errors: `not_found`, `permission_denied`, `invalid_argument` for an empty
 * change, a chart, or invalid SQL.
 */
export async function updateInsight(context: Context, input: Input): Promise<ResponseOf<typeof endpoint>> {
  refuseChart(input.ref, 'edited')
  const change = readChange(input)
  const { insight } = await requireInsight(context, input.ref)
  requireCanChange(context, insight)
  if (change.sql !== undefined) await checkInsightSql(context, { ...insight, sql: change.sql })
  const stamps = { updatedBy: context.caller.recordedUnder, updatedAt: await clockNow(context.db) }
  if (!(await changeInsight(context.db, insight.id, { ...change, ...stamps }))) throw insightNotFound(input.ref)
  const row = await requireInsight(context, insight.id)
  return { insight: toInsight(context, row), sql: row.insight.sql }
}

function readChange(input: Input) {
  const { heading, sql, description, includeTestAware, presentation, labels, clearLabels } = input
  if (labels && clearLabels) throw invalid('Send either `labels` or `clear_labels`, not both')
  const change = {
    ...(heading !== undefined && { heading }),
    ...(sql !== undefined && { sql }),
    ...(description !== undefined && { description: description || null }),
    ...(includeTestAware !== undefined && { includeTestAware }),
    ...(presentation !== undefined && { presentation }),
    ...(labels && { labels }),
    ...(clearLabels && { labels: [] }),
  }
  if (Object.keys(change).length === 0) {
    throw invalid(
      'Send `heading`, `sql`, `description`, `labels`, `clear_labels`, `include_test_aware` or `presentation`: nothing would change',
    )
  }
  return change
}
