import type { Database } from '#platform/ground/database/open-database.ts'
import { giveGrace } from '#platform/results/retention/graces/give-grace.ts'
import { findPublication } from './insight-store.ts'

/** Before an insight and its publication are deleted: retention keeps the runs that it read for a while. */
export async function giveGraceAfterPublication(tx: Database, insightId: string) {
  const publication = await findPublication(tx, insightId)
  if (!publication) return
  const { organizationId, experimentId, runId } = publication
  // A publication over all experiments keeps no run.
  if (runId !== null) await giveGrace(tx, { organizationId, runId })
  else if (experimentId !== null) await giveGrace(tx, { organizationId, experimentId })
}
