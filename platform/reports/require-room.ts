import { limits } from '#contract/wire/limit.ts'
import type { Database } from '#platform/database/open-database.ts'
import { exhausted } from '#platform/failures/failure.ts'
import { sumFileBytes } from './file-store.ts'

/** Refuses a file that does not fit the space of the organization. The caller holds the reports clock. */
export async function requireRoom(tx: Database, organizationId: string, bytes: number) {
  if ((await sumFileBytes(tx, organizationId)) + bytes > limits.reportFileBytesOfOrganization)
    throw exhausted(
      'This organization has no space left for images and pinned figures. Delete reports that have images or pinned figures',
    )
}
