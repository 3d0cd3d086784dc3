import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { removeOldDeliveries } from './delivery-store.ts'

const keptDays = 30
const aPass = 2000

/** Deletes deliveries that are older than 30 days, except those that a running webhook still owes. Returns whether more may be left. */
export const deleteOldDeliveries = async ({ db }: Pick<Services, 'db'>): Promise<boolean> =>
  (await removeOldDeliveries(db, keptDays, aPass)) === aPass

type OfOrganization = { organizationId: string; days: number; limit: number }

/** One pass over the deliveries of one organization. Returns how many it deleted. */
export const removeDeliveries = (db: Database, { organizationId, days, limit }: OfOrganization): Promise<number> =>
  removeOldDeliveries(db, days, limit, organizationId)
