import { readChartReference } from '#contract/chart-kinds.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalid, notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { requireCanChange } from './policy.ts'
import { findInsight, lockInsight } from './store.ts'

export const insightNotFound = (reference: string) => notFound(`Insight "${reference}" does not exist`)

/** The saved query with this id or slug in the caller's organization. Errors: `not_found`. */
export async function requireInsight({ db, organization }: Context, reference: string) {
  const row = await findInsight(db, { organizationId: organization.id, reference })
  if (!row) throw insightNotFound(reference)
  return row
}

/** Built-in charts are not saved SQL: nobody can edit, delete or publish them. */
export function refuseChart(reference: string, deed: 'edited' | 'deleted' | 'published') {
  if (readChartReference(reference)) throw invalid(`Built-in charts cannot be ${deed}`)
}

/**
 * The saved query, locked until the transaction ends, for a caller who may change it. Errors: `not_found`,
 * `permission_denied`.
 */
export async function lockChangeableInsight(tx: Database, context: Context, reference: string) {
  const insight = await lockInsight(tx, { organizationId: context.organization.id, reference })
  if (!insight) throw insightNotFound(reference)
  requireCanChange(context, insight)
  return insight
}

/** Throws `failed_precondition` for an insight of the retired data pipeline. */
export function refuseLegacy(insight: { slug: string; dataSchema: string }, deed: 'viewed' | 'shared') {
  if (insight.dataSchema !== 'legacy') return
  throw preconditionFailed(
    `The insight "${insight.slug}" uses the retired data pipeline and cannot be ${deed}. ` +
      'Fork its experiment and save the query again for session_data_v1',
  )
}
