import type { ContextRecord, restoreContextVersion as endpoint } from '#contract/context-records.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { readKey, readRecord } from './get-record.ts'
import { requireVersion } from './list-versions.ts'
import { readWholeFields } from './read-fields.ts'
import { updateRecord } from './update-record.ts'

/**
 * POST /context/records/{kind}/{targetId}/versions/{revision}/restore: writes the fields of a version as the next
 * revision. Errors: `permission_denied`, `not_found`, `invalid_argument` if the fields are no longer valid, and
 * `already_exists` if the record has changed since `expectedRevision`.
 */
export async function restoreVersion(
  context: Context,
  { revision, expectedRevision, ...path }: VerbInput<typeof endpoint>,
): Promise<ContextRecord> {
  const { organization, caller } = context
  const key = readKey(organization.id, path)
  return audited(context, async (tx, record) => {
    const { version } = await requireVersion(tx, key, revision)
    const change = readWholeFields({ kind: key.kind, values: version.fields })
    const origin = { cause: 'restored', by: caller, restoredRevision: version.revision } as const
    const written = await updateRecord(tx, { ...key, change, baseRevision: expectedRevision, origin })
    if (written.isChanged) {
      const details = { kind: key.kind, revision: written.revision, restored: version.revision }
      record({ event: 'context.write', organizationId: organization.id, subject: key.targetId, details })
    }
    return readRecord(tx, key)
  })
}
