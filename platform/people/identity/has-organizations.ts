import type { Database } from '#platform/ground/database/open-database.ts'
import { countOrganizations } from './store.ts'

/** False only on a new platform without any organization. */
export const hasOrganizations = async (db: Database) => (await countOrganizations(db)) > 0

export const isOnlyOrganization = async (db: Database) => (await countOrganizations(db)) === 1
