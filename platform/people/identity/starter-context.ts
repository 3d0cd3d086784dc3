import { callerOfPerson } from '#platform/ground/context/caller.ts'
import type { Context, Services } from '#platform/ground/context/context.ts'
import { findMemberOf } from './person-store.ts'

/**
 * For work that goes on after a person started it. Returns the organization with the role that the person has now, and the
 * context that does the work: that of a member, because everybody reads its messages, and those for members reveal no credit
 * or budgets. Null once the person is not a member.
 */
export async function starterContext(
  services: Services,
  started: { organizationId: string; createdBy: string },
): Promise<{ now: Pick<Context, 'organization'>; context: Context } | null> {
  const found = await findMemberOf(services.db, started.organizationId, started.createdBy)
  if (!found) return null
  const { person } = found
  const organization = { ...found.organization, role: 'member' as const }
  const by = { kind: 'person' as const, id: person.id, name: person.email }
  const context = { ...services, by, organization, caller: callerOfPerson(person, [organization]) }
  return { now: { organization: found.organization }, context }
}
