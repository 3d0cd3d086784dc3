import { ContextKind } from '#contract/context-kinds.ts'
import type { ContextRecord, getContextRecord as endpoint } from '#contract/context-records.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { recordNotFound } from './require-record.ts'
import { findRecordRow } from './search-store.ts'
import type { RecordKey } from './store.ts'
import { toRecord } from './to-record.ts'

/** GET /context/records/{kind}/{targetId}. Errors: `not_found`. */
export const getRecord = ({ db, organization }: Context, path: VerbInput<typeof endpoint>) =>
  readRecord(db, readKey(organization.id, path))

export async function readRecord(db: Database, key: RecordKey): Promise<ContextRecord> {
  const row = await findRecordRow(db, key)
  if (!row) throw recordNotFound(key)
  return toRecord(row)
}

/** The record of a path. Errors: `not_found` for another kind. */
export function readKey(organizationId: string, path: { kind: string; targetId: string }): RecordKey {
  const kind = ContextKind.safeParse(path.kind)
  if (!kind.success) throw notFound(`Unknown kind of Context record: "${path.kind}"`)
  return { organizationId, kind: kind.data, targetId: path.targetId }
}
