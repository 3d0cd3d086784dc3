import type { Database } from '#platform/database/open-database.ts'
import { preconditionFailed } from '#platform/failures/failure.ts'
import { countAdmins, lockOrganization } from './store.ts'

/** Refuses a change of members that leaves an organization without the admins it had; two at once are seen one after the other. */
export async function keepAnAdmin(tx: Database, organizationId: string, change: () => Promise<void>) {
  await lockOrganization(tx, organizationId)
  const before = await countAdmins(tx, organizationId)
  await change()
  if (before > 0 && (await countAdmins(tx, organizationId)) === 0)
    throw preconditionFailed('That is the last admin of the organization: make somebody else an admin first')
}
