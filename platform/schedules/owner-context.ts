import type { Caller, Context, Services } from '#platform/context/context.ts'
import type { ScheduleRow } from './store.ts'

/**
 * The context of a request that the owner would send; null if the owner is no longer a member. Everyone reads why a start
 * was skipped, so refusals have the words for members, without the balance.
 */
export function ownerContext(services: Services, { owner, ownerRole, organization }: ScheduleRow): Context | null {
  if (ownerRole === null) return null
  const joined = { ...organization, role: 'member' as const }
  const caller: Caller = { actor: owner, userId: owner.id, keyKind: 'personal', keyId: null, organizations: [joined] }
  return { ...services, caller, organization: joined }
}
