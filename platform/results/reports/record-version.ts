import { v7 as newId } from 'uuid'

import { limits } from '#contract/wire/limit.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { chooseVersionsToDelete } from './thin-versions.ts'
import {
  copyFileUses,
  findOpenVersion,
  insertVersion,
  measureVersions,
  removeVersions,
  replaceVersion,
} from './version-store.ts'

/**
 * Stores the report as it is now in its history, in the transaction of the write. `isOwn`: it is a version of its own,
 * although the same person saved a moment ago.
 */
export async function recordVersion(tx: Database, reportId: string, { isOwn }: { isOwn: boolean }) {
  const open = isOwn ? undefined : await findOpenVersion(tx, reportId, limits.versionMinutes)
  const id = open ?? newId()
  if (open) await replaceVersion(tx, id, reportId)
  else await insertVersion(tx, id, reportId)
  await copyFileUses(tx, id, reportId)
  const extra = chooseVersionsToDelete(await measureVersions(tx, reportId))
  if (extra.length > 0) await removeVersions(tx, extra)
}
