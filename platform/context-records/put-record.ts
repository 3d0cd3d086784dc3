import { ContextId, type ContextKind } from '#contract/context-kinds.ts'
import type { Services } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { invalid } from '#platform/failures/failure.ts'
import { readWholeFields } from './read-fields.ts'
import { updateRecord } from './update-record.ts'
import { insertRecord } from './store.ts'

type Put = { organizationId: string; kind: ContextKind; targetId: string; fields: Record<string, unknown> }

/**
 * Creates a Context record or replaces all its fields: fields that are not given become empty. A change of an existing
 * record notifies every member. Errors: `invalid_argument` for an invalid id or field.
 */
export async function putRecord({ db }: Pick<Services, 'db'>, { organizationId, kind, targetId, fields: values }: Put) {
  const id = ContextId.safeParse(targetId)
  if (!id.success) throw invalid(`"${targetId}" is not a valid id: it ${id.error.issues[0]?.message}`)
  const fields = readWholeFields({ kind, values })
  const key = { organizationId, kind, targetId }
  return db.transaction(async (tx) => {
    const isNew = await insertRecord(tx, key, fields, await clockNow(tx))
    return { isNew, revision: isNew ? 1 : await updateRecord(tx, { ...key, change: fields }) }
  })
}
