import { callerOfPerson } from '#platform/ground/context/caller.ts'
import type { Context, Services } from '#platform/ground/context/context.ts'
import type { ScheduleRow } from './store.ts'

/**
 * The context of a request that the owner would send; null if the owner is no longer a member. Everyone reads why a start
 * was skipped, so refusals have the words for members, without the balance.
 */
export function ownerContext(services: Services, { owner, ownerRole, organization }: ScheduleRow): Context | null {
  if (ownerRole === null) return null
  const joined = { ...organization, role: 'member' as const }
  return { ...services, caller: callerOfPerson(owner, [joined]), organization: joined }
}
