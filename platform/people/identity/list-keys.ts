import type { Services } from '#platform/ground/context/context.ts'
import { requireOrganization } from './require-organization.ts'
import { findKeys } from './store.ts'

/** The active keys with access to an organization, without the keys themselves, which nobody has stored. */
export async function listKeys({ db }: Pick<Services, 'db'>, slug: string) {
  const { id } = await requireOrganization(db, slug)
  return findKeys(db, id)
}
