import { ContextId, type ContextKind } from '#contract/context-kinds.ts'
import { type Auditing, audited } from '#platform/people/audit/audited.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { createRecord } from './create-record.ts'
import { readWholeFields } from './read-fields.ts'
import { updateRecord } from './update-record.ts'

type Put = { organizationId: string; kind: ContextKind; targetId: string; fields: Record<string, unknown> }

/**
 * Creates a Context record or replaces all its fields: fields that are not given become empty. A change of an existing
 * record notifies every member. Errors: `invalid_argument` for an invalid id or field.
 */
export async function putRecord(auditing: Auditing, { organizationId, kind, targetId, fields: values }: Put) {
  const id = ContextId.safeParse(targetId)
  if (!id.success) throw invalid(`"${targetId}" is not a valid id: it ${id.error.issues[0]?.message}`)
  const fields = readWholeFields({ kind, values })
  const key = { organizationId, kind, targetId }
  return audited(auditing, async (tx, record) => {
    const isNew = await createRecord(tx, key, fields, null)
    const origin = { cause: 'written', by: null } as const
    const { revision, isChanged } = isNew
      ? { revision: 1, isChanged: true }
      : await updateRecord(tx, { ...key, change: fields, origin })
    if (isChanged) record({ event: 'context.write', organizationId, subject: targetId, details: { kind, revision } })
    return { isNew, revision }
  })
}
