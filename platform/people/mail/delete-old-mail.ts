import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { removeMailsOf, removeOld } from './mail-store.ts'

/** How long the log is kept, and how long a notification waits for a server that sends email. */
const [days, waitingDays] = [30, 7]

const limit = 1000

/** One pass; returns whether more may be left. */
export const deleteOldMail = async ({ db }: Pick<Services, 'db'>) =>
  (await removeOld(db, { days, waitingDays, limit })) === limit

type OfOrganization = { organizationId: string; days: number; limit: number }

/** One pass over the emails of one organization that do not wait. Returns how many it deleted. */
export const removeMails = (db: Database, mails: OfOrganization): Promise<number> => removeMailsOf(db, mails)
