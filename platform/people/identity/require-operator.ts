import { callerOfPerson } from '#platform/ground/context/caller.ts'
import type { Context, Services } from '#platform/ground/context/context.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { requireOrganization } from './require-organization.ts'
import { findFirstAdmin } from './store.ts'

/** A context for an operator's work in an organization. It acts as the organization's first admin. */
export async function requireOperator(services: Services, slug: string): Promise<Context> {
  const { id, name } = await requireOrganization(services.db, slug)
  const admin = await findFirstAdmin(services.db, id)
  if (!admin)
    throw preconditionFailed(
      `Organization "${slug}" has no admin yet. Create one with "key create --role admin --kind personal"`,
    )
  const organization = { id, slug, name, role: 'admin' as const }
  return {
    ...services,
    organization,
    caller: callerOfPerson(admin, [organization]),
  }
}
