import { retentionLimits } from '#contract/retention.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { hasPolicy, putGrace } from './store.ts'

/** A run by its composite id, or all runs of an experiment. */
export type Subject = { organizationId: string } & ({ runId: string } | { experimentId: string })

/**
 * Keeps old runs that just lost a reason to be kept, such as a label, until people had time to notice. It belongs in the
 * transaction that removes the reason. New rules wait by themselves, so without rules there is nothing to do.
 */
export async function giveGrace(tx: Database, { organizationId, ...subject }: Subject) {
  if (!(await hasPolicy(tx, organizationId))) return
  await putGrace(tx, {
    organizationId,
    hours: retentionLimits.graceHours,
    ...('runId' in subject
      ? { subjectKind: 'run', subjectId: subject.runId }
      : { subjectKind: 'experiment', subjectId: subject.experimentId }),
  })
}
