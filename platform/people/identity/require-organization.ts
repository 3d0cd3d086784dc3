import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { findOrganization } from './store.ts'

/** The organization with this slug. Errors: `not_found`. */
export async function requireOrganization(db: Database, slug: string) {
  const organization = await findOrganization(db, slug)
  if (!organization) throw notFound(`Organization "${slug}" does not exist`)
  return organization
}
