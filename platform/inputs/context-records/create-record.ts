import type { ContextFields } from '#contract/context-kinds.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { insertRecord, type RecordKey } from './store.ts'
import { insertVersion } from './version-store.ts'

/** Creates a record with its first version. Returns false when it exists. `createdBy` is null for the operator. */
export async function createRecord(tx: Database, key: RecordKey, fields: ContextFields, createdBy: string | null) {
  const now = await clockNow(tx)
  if (!(await insertRecord(tx, key, fields, now))) return false
  const first = { revision: 1, fields, cause: 'created', changedAt: now } as const
  await insertVersion(tx, key, { ...first, changedFields: [], changedBy: createdBy })
  return true
}
