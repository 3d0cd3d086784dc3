import type { RetentionRules } from '#contract/retention.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'
import { findExperimentIds, type PolicyRow } from './store.ts'

/**
 * Throws `invalid_argument` for a kept experiment that does not exist: a mistyped id would keep nothing. One that was
 * kept before may have been deleted.
 */
export async function requireExperiments(
  db: Database,
  organizationId: string,
  { keptExperiments }: RetentionRules,
  before: PolicyRow | null,
) {
  const known = await findExperimentIds(db, organizationId, keptExperiments)
  const faults = keptExperiments.flatMap((id, index) => {
    if (known.has(id) || before?.rules.keptExperiments.includes(id)) return []
    return [{ path: ['keptExperiments', index], message: `the experiment ${id} does not exist` }]
  })
  if (faults.length > 0) throw invalidFields(faults)
}
