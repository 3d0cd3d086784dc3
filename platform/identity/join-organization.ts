import { randomUUID } from 'node:crypto'

import type { Role } from '#contract/identity.ts'
import type { Database } from '#platform/database/open-database.ts'
import { insertGrant, insertMembership, upsertUser } from './store.ts'

type Place = { organizationId: string; role: Role }

/** Makes a person a member, and gives the key that they use access to the organization. */
export async function joinWithKey(tx: Database, place: Place, { userId, keyId }: { userId: string; keyId: string }) {
  await insertMembership(tx, { ...place, userId })
  await insertGrant(tx, { ...place, keyId })
}

/** Makes the person with this address a member. The name is for a person who is new: `isNew` says whether they are. */
export async function joinByEmail(tx: Database, place: Place, { email, name }: { email: string; name: string }) {
  const id = randomUUID()
  const user = await upsertUser(tx, { id, email, name })
  await insertMembership(tx, { ...place, userId: user.id })
  return { ...user, isNew: user.id === id }
}
