import type { Services } from '#platform/context/context.ts'
import { removeOldDeliveries } from './delivery-store.ts'

const keptDays = 30
const aPass = 2000

/** Deletes deliveries that are older than 30 days, except those that a running webhook still owes. Returns whether more may be left. */
export const deleteOldDeliveries = async ({ db }: Pick<Services, 'db'>): Promise<boolean> =>
  (await removeOldDeliveries(db, keptDays, aPass)) === aPass
