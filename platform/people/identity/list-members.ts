import type { Services } from '#platform/ground/context/context.ts'
import { requireOrganization } from './require-organization.ts'
import { findMembers } from './store.ts'

/** The members of an organization with their roles, by email. */
export async function listMembers({ db }: Pick<Services, 'db'>, slug: string) {
  const { id } = await requireOrganization(db, slug)
  return findMembers(db, id)
}
