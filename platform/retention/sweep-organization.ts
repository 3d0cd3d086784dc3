import { RemovalKind, type RetentionCounts, type RetentionKind } from '#contract/retention.ts'
import { audited } from '#platform/audit/audited.ts'
import { platformActor } from '#platform/context/audit-events.ts'
import type { Services } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { stampExperiments } from '#platform/experiments/stamp-experiments.ts'
import { removeMails } from '#platform/mail/delete-old-mail.ts'
import { removeNotifications } from '#platform/notifications/delete-old-notifications.ts'
import { removeDeliveries } from '#platform/webhooks/delete-old-deliveries.ts'
import { lockRemovable } from './old-runs-store.ts'
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
type Old = { organizationId: string; days: number; limit: number }

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

/**
 * Removes the next batch that the rules of an organization name, in one transaction with the note of what was removed.
 * The last, empty batch ends the sweep with one audit event, so a kill loses no count. Returns whether more may be left;
 * false also while another server works for the organization.
 */
export const sweepBatch = ({ db, auditLog }: Batches, organizationId: string, limit = 200): Promise<boolean> =>
  audited({ db, auditLog, by: platformActor }, async (tx, record) => {
    const policy = await claimPolicy(tx, organizationId)
    if (!policy) return false
    for (const kind of order) {
      const days = policy.rules[kind]
      if (days === null) continue
      const removed = await removeSome(tx, policy, kind, { organizationId, days, limit })
      if (removed === 0) continue
      const before = policy.sweep ?? nothing
      await updateProgress(tx, organizationId, { sweep: { ...before, [kind]: before[kind] + removed } })
      return true
    }
    if (policy.sweep) {
      const at = await clockNow(tx)
      await updateProgress(tx, organizationId, { sweep: null, lastSweep: { at, removed: policy.sweep } })
      record({ organizationId, event: 'retention.sweep', details: policy.sweep })
    }
    return false
  })

async function removeSome(tx: Database, policy: PolicyRow, kind: RetentionKind, old: Old): Promise<number> {
  if (kind === 'notifications') return removeNotifications(tx, old)
  if (kind === 'deliveries') return (await removeDeliveries(tx, old)) + (await removeMails(tx, old))
  const { organizationId, days, limit } = old
  const runs = await lockRemovable(tx, { organizationId, kind, days, rules: policy.rules }, limit)
  if (runs.length === 0) return 0
  const removedAt = await clockNow(tx)
  await insertRemovedBlobs(tx, await removeKind[RemovalKind.parse(kind)](tx, runs))
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
  return runs.length
}
