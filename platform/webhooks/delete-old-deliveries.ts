import type { Services } from '#platform/context/context.ts'
import { removeOldDeliveries } from './delivery-store.ts'

const keptDays = 30
const aPass = 2000

/** Deletes deliveries that are older than 30 days, sent or not. Returns whether more may be left. */
export const deleteOldDeliveries = async ({ db }: Pick<Services, 'db'>): Promise<boolean> =>
  (await removeOldDeliveries(db, keptDays, aPass)) === aPass
