import type { RemovalKind, RetentionCounts, RetentionKind } from '#contract/retention.ts'
import { audited } from '#platform/people/audit/audited.ts'
import { platformActor } from '#platform/ground/services/audit-events.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runsPerTransaction } from '#platform/ground/database/runs-per-transaction.ts'
import { stampExperiments } from '#platform/inputs/experiments/stamp-experiments.ts'
import { removeMails } from '#platform/people/mail/delete-old-mail.ts'
import { removeNotifications } from '#platform/people/notifications/delete-old-notifications.ts'
import { removeDeliveries } from '#platform/people/webhooks/delete-old-deliveries.ts'
import { lockRemovable, type RemovableRun, type WalkPlace } from './old-runs-store.ts'
import { removeKind } from './removal-steps.ts'
import {
  claimPolicy,
  forgetRemovedParts,
  insertRemovals,
  insertRemovedBlobs,
  type PolicyRow,
  updateProgress,
} from './store.ts'

type Batches = Pick<Services, 'db' | 'auditLog'>

const nothing: RetentionCounts = {
  transcripts: 0,
  outputs: 0,
  changes: 0,
  runs: 0,
  notifications: 0,
  deliveries: 0,
}

/** Whole runs first, so that their parts are not removed twice. */
const order: readonly RetentionKind[] = ['runs', 'transcripts', 'outputs', 'changes', 'notifications', 'deliveries']

/** Where a pass over what is old is. Without `after` it is at the start of the kind. */
export type SweepPlace = { kind: RetentionKind; after?: WalkPlace | undefined }

type Batch = { from?: SweepPlace | undefined; limit?: number }

/**
 * Removes the next batch that the rules of an organization name, in one transaction with the note of what was removed.
 * The last batch ends the sweep with one audit event, so a kill loses no count. Returns from where to continue, which
 * is only in memory: a pass reads each run once for each rule, and a pass after a kill starts again. Null at the end, and
 * while another server works for the organization.
 */
export const sweepBatch = (
  { db, auditLog }: Batches,
  organizationId: string,
  { from = { kind: 'runs' }, limit = runsPerTransaction }: Batch = {},
): Promise<SweepPlace | null> =>
  audited({ db, auditLog, by: platformActor }, async (tx, record) => {
    const policy = await claimPolicy(tx, organizationId)
    if (!policy) return null
    for (const kind of order.slice(order.indexOf(from.kind))) {
      const days = policy.rules[kind]
      if (days === null) continue
      const after = kind === from.kind ? from.after : undefined
      const { removed, next } = await removeSome(tx, policy, { organizationId, kind, days, after, limit })
      if (removed > 0) {
        const before = policy.sweep ?? nothing
        await updateProgress(tx, organizationId, { sweep: { ...before, [kind]: before[kind] + removed } })
      }
      if (next) return next
    }
    if (policy.sweep) {
      const at = await clockNow(tx)
      await updateProgress(tx, organizationId, { sweep: null, lastSweep: { at, removed: policy.sweep } })
      record({ organizationId, event: 'retention.sweep', details: policy.sweep })
    }
    return null
  })

type Old = { organizationId: string; kind: RetentionKind; days: number; after: WalkPlace | undefined; limit: number }

/** `next` is null where nothing of the kind is left to look at. */
async function removeSome(
  tx: Database,
  policy: PolicyRow,
  { kind, after, limit, ...old }: Old,
): Promise<{ removed: number; next: SweepPlace | null }> {
  if (kind === 'notifications' || kind === 'deliveries') {
    const some = { ...old, limit }
    const removed =
      kind === 'notifications'
        ? await removeNotifications(tx, some)
        : (await removeDeliveries(tx, some)) + (await removeMails(tx, some))
    return { removed, next: removed > 0 ? { kind } : null }
  }
  const found = await lockRemovable(tx, { ...old, kind, rules: policy.rules }, { after, limit })
  if (!found) return { removed: 0, next: null }
  await removeOfRuns(tx, found.removable, { ...old, kind })
  return { removed: found.removable.length, next: { kind, after: found.last } }
}

async function removeOfRuns(
  tx: Database,
  runs: readonly RemovableRun[],
  { organizationId, kind, days }: { organizationId: string; kind: RemovalKind; days: number },
) {
  if (runs.length === 0) return
  const removedAt = await clockNow(tx)
  await insertRemovedBlobs(tx, await removeKind[kind](tx, runs))
  await insertRemovals(
    tx,
    runs.map(({ id, ...run }) => ({ ...run, runId: id, kind, organizationId, removedAt, keptDays: days })),
  )
  if (kind === 'runs')
    await forgetRemovedParts(
      tx,
      runs.map(({ id }) => id),
    )
  // Deleted rows carry no stamp that would show polls the change.
  await stampExperiments(tx, organizationId, [...new Set(runs.map((run) => run.experimentId))])
}
