import type { Services } from '#platform/ground/context/context.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { deleteRemovedBlobs, removeFromAnalytics } from './forget-removals.ts'
import { deleteEndedGraces, findDuePolicies } from './store.ts'
import { sweepBatch } from './sweep-organization.ts'

export type SweepServices = Pick<Services, 'db' | 'blobs' | 'analytics' | 'auditLog' | 'wakeProjector' | 'state'>

type Sweep = { organizationId?: string; isStopping?: () => boolean }

/**
 * Removes what the rules of all organizations, or of one, name. It may be killed at any moment: the next call continues,
 * also with what is left in the analytics engine and in the blob store. Any number of servers may do so at once.
 */
export async function sweepRetention(
  services: SweepServices,
  { organizationId, isStopping = () => false }: Sweep = {},
) {
  const due = await findDuePolicies(services.db)
  const errors: unknown[] = []
  const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => errors.push(error))
  for (const policy of due.filter((each) => organizationId === undefined || each.organizationId === organizationId))
    await attempt(() => sweepAll(services, policy.organizationId, isStopping))
  await attempt(() => deleteEndedGraces(services.db))
  await attempt(() => deleteRemovedBlobs(services, isStopping))
  await attempt(() => removeFromAnalytics(services, isStopping))
  if (errors.length > 0) throw new AggregateError(errors, 'Retention could not remove everything')
}

async function sweepAll(services: SweepServices, organizationId: string, isStopping: () => boolean) {
  let from: Awaited<ReturnType<typeof sweepBatch>> | undefined
  while (from !== null && !isStopping())
    from = await giveWay(services.db, () => sweepBatch(services, organizationId, { from: from ?? undefined }))
}
