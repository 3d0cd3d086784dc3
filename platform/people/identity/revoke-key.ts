import { z } from 'zod'

import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { clearCallerCache } from './caller-cache.ts'
import { findKeyById, revokeKey as revoke } from './store.ts'

/**
 * Revokes a key by its id. Its next request is `unauthenticated`, which also ends the sessions with this key. A second
 * call changes nothing.
 */
export async function revokeKey(auditing: Auditing, id: string) {
  if (!z.uuid().safeParse(id).success) throw notFound(`There is no key "${id}"`)
  await audited(auditing, async (tx, record) => {
    const key = await findKeyById(tx, id)
    if (!key) throw notFound(`There is no key "${id}"`)
    if (!(await revoke(tx, id))) return
    for (const { organizationId } of key.grants)
      record({ event: 'key.revoke', organizationId, subject: id, details: { kind: key.kind, email: key.email } })
  })
  clearCallerCache(auditing.db)
}
