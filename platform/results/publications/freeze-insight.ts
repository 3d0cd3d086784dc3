import { v7 as newId } from 'uuid'

import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { insights } from '#platform/ground/database/tables/insights.ts'
import { findPublication, insertPublication } from './insight-store.ts'
import { hashToken, tokenOf } from './token.ts'

type Insight = typeof insights.$inferSelect

/**
 * Returns the publication of an insight; the caller has locked its row. The first call freezes the insight's current
 * state.
 */
export async function freezeInsight(context: Context, tx: Database, insight: Insight) {
  const existing = await findPublication(tx, insight.id)
  if (existing) return { publication: existing, isNew: false }
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
    publishedBy: context.caller.recordedUnder,
    publishedAt: await clockNow(tx),
  })
  return { publication: { id, keyId: key.id }, isNew: true }
}
