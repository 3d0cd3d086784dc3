import { ContextId, type ContextKind } from '#contract/context-kinds.ts'
import type { Services } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { invalid } from '#platform/failures/failure.ts'
import { readWholeFields } from './read-fields.ts'
import { reviseRecord } from './revise-record.ts'
import { insertRecord } from './store.ts'

type Put = { organizationId: string; kind: ContextKind; targetId: string; fields: Record<string, unknown> }

/**
 * Makes or replaces a Context record, whole: fields that are not given are emptied. Members are told of what changed in a
 * record that was there. Errors: `invalid_argument` for an id or fields that cannot be.
 */
export async function putRecord({ db }: Pick<Services, 'db'>, { organizationId, kind, targetId, fields: given }: Put) {
  const id = ContextId.safeParse(targetId)
  if (!id.success) throw invalid(`"${targetId}" is not an id: it ${id.error.issues[0]?.message}`)
  const fields = readWholeFields({ kind, given })
  const key = { organizationId, kind, targetId }
  return db.transaction(async (tx) => {
    const isNew = await insertRecord(tx, key, fields, await clockNow(tx))
    return { isNew, revision: isNew ? 1 : await reviseRecord(tx, { ...key, change: fields }) }
  })
}
