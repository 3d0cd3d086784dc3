import { personOf } from '#platform/ground/context/caller.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { Actor } from '#contract/identity.ts'
import type { OrganizationDetails, renameOrganization as organizationEndpoint } from '#contract/names.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { CallerContext, Context } from '#platform/ground/context/context.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { clearCallerCache } from '#platform/people/identity/caller-cache.ts'
import { requireUnmarked, showName } from '#platform/people/identity/show-name.ts'
import {
  findOrganizationDetails,
  isOfDemo,
  lockOrganizationName,
  lockPersonName,
  updateOrganizationName,
} from './store.ts'

type Input = VerbInput<typeof organizationEndpoint>

/** GET /organization. */
export const getOrganization = ({ db, organization }: Context): Promise<OrganizationDetails> =>
  findOrganizationDetails(db, organization.id)

/** PATCH /organization. Setting the same name changes nothing. */
export async function renameOrganization(context: Context, { name }: Input): Promise<OrganizationDetails> {
  const organizationId = context.organization.id
  await audited(context, async (tx, record) => {
    const nameBefore = await lockOrganizationName(tx, organizationId)
    if (nameBefore === name) return
    await updateOrganizationName(tx, organizationId, name)
    record({ event: 'organization.rename', organizationId, subject: name, details: { nameBefore } })
  })
  clearCallerCache(context.db)
  return findOrganizationDetails(context.db, organizationId)
}

/**
 * PATCH /me. The name is the same in every organization, so each of them records the change. A name that somebody else has
 * is marked, and the response has it as others see it.
 */
export async function renamePerson(context: CallerContext, { name }: Input): Promise<Actor> {
  const { actor, organizations } = context.caller
  const userId = personOf(context.caller)
  const { email = '' } = actor
  requireUnmarked(name, email)
  let shown = name
  await audited(context, async (tx, record) => {
    if (await isOfDemo(tx, userId))
      throw preconditionFailed('The demo signs visitors in as this person, so the name cannot be changed')
    const nameBefore = await lockPersonName(tx, userId)
    shown = await showName(tx, { id: userId, email, name })
    if (nameBefore === shown) return
    for (const { id } of organizations)
      record({ event: 'person.rename', organizationId: id, subject: email, details: { name: shown, nameBefore } })
  })
  clearCallerCache(context.db)
  return { ...actor, name: shown }
}
