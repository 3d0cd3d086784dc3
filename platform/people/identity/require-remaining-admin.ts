import type { Database } from '#platform/ground/database/open-database.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { countAdmins, lockOrganization } from './store.ts'

/**
 * Refuses a membership change that would leave an organization without an admin. Two concurrent changes run one after
 * the other.
 */
export async function requireRemainingAdmin(tx: Database, organizationId: string, change: () => Promise<void>) {
  await lockOrganization(tx, organizationId)
  const before = await countAdmins(tx, organizationId)
  await change()
  if (before > 0 && (await countAdmins(tx, organizationId)) === 0)
    throw preconditionFailed('This is the last admin of the organization. Make another member an admin first')
}
