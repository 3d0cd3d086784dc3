import type { Services } from '#platform/ground/context/context.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { deleteRemovedBlobs, removeFromAnalytics } from './forget-removals.ts'
import { deleteEndedGraces, findDuePolicies } from './store.ts'
import { sweepBatch, type SweepPlace } from './sweep-organization.ts'

export type SweepServices = Pick<Services, 'db' | 'blobs' | 'analytics' | 'auditLog' | 'wakeProjector' | 'state'>

type Sweep = { organizationId?: string; isStopping?: () => boolean }

/**
 * Removes what the rules of all organizations, or of one, name, a batch of each organization in turn. It may be killed at
 * any moment: the next call continues, also with what is left in the analytics engine and in the blob store. Any number of
 * servers may do so at once.
 */
export async function sweepRetention(
  services: SweepServices,
  { organizationId, isStopping = () => false }: Sweep = {},
) {
  const due = await findDuePolicies(services.db)
  const errors: unknown[] = []
  const attempt = (work: () => Promise<unknown>) => work().catch((error: unknown) => errors.push(error))
  const places = new Map<string, SweepPlace | undefined>(
    due
      .filter((policy) => organizationId === undefined || policy.organizationId === organizationId)
      .map((policy) => [policy.organizationId, undefined] as const),
  )
  // An organization that is set again comes last, and is visited once more.
  for (const [id, from] of places) {
    if (isStopping()) break
    places.delete(id)
    await attempt(async () => {
      const next = await giveWay(services.db, () => sweepBatch(services, id, { from }))
      if (next) places.set(id, next)
    })
  }
  await attempt(() => deleteEndedGraces(services.db))
  await attempt(() => deleteRemovedBlobs(services, isStopping))
  await attempt(() => removeFromAnalytics(services, isStopping))
  if (errors.length > 0) throw new AggregateError(errors, 'Retention could not remove everything')
}
