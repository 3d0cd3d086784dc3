import type { Database } from '#platform/database/open-database.ts'
import { organizations } from '#platform/database/tables/identity.ts'

/** False only on a new platform without any organization. */
export const hasOrganizations = async (db: Database) => (await db.$count(organizations)) > 0

export const isOnlyOrganization = async (db: Database) => (await db.$count(organizations)) === 1
