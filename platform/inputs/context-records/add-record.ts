import type { ContextRecord, createContextRecord as endpoint } from '#contract/context-records.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { lockNamed } from '#platform/ground/database/lock-named.ts'
import { conflict, exhausted } from '#platform/ground/failures/failure.ts'
import { createRecord } from './create-record.ts'
import { readRecord } from './get-record.ts'
import { readWholeFields } from './read-fields.ts'
import { countRecords } from './store.ts'

/**
 * POST /context/records: creates a record; fields that are not given are empty. Errors: `permission_denied`,
 * `invalid_argument`, `already_exists`, and `resource_exhausted` with too many records.
 */
export async function addRecord(
  context: Context,
  { kind, targetId, fields: values }: VerbInput<typeof endpoint>,
): Promise<ContextRecord> {
  const { organization, caller } = context
  const organizationId = organization.id
  const fields = readWholeFields({ kind, values }, ['fields'])
  const key = { organizationId, kind, targetId }
  return audited(context, async (tx, record) => {
    await lockNamed(tx, 'context records', organizationId)
    if ((await countRecords(tx, organizationId)) >= limits.contextRecordsPerOrganization)
      throw exhausted(`An organization can have ${limits.contextRecordsPerOrganization} Context records`)
    if (!(await createRecord(tx, key, fields, caller.recordedUnder)))
      throw conflict(`${kind === 'agent' ? 'An' : 'A'} ${kind} with the id "${targetId}" already exists`)
    record({ event: 'context.write', organizationId, subject: targetId, details: { kind, revision: 1 } })
    return readRecord(tx, key)
  })
}
