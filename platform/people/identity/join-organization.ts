import { randomUUID } from 'node:crypto'

import type { Actor, Role } from '#contract/identity.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { showName } from './show-name.ts'
import { insertGrant, insertMembership, upsertUser } from './store.ts'

type Place = { organizationId: string; role: Role }

/** Makes a person a member, and gives the key that they use access to the organization. */
export async function joinWithKey(tx: Database, place: Place, { actor, keyId }: { actor: Actor; keyId: string }) {
  const { id: userId, email = '', name } = actor
  await insertMembership(tx, { ...place, userId })
  await showName(tx, { id: userId, email, name })
  await insertGrant(tx, { ...place, keyId })
}

type Joining = { email: string; name: string; isProven: boolean }

/** Makes the person with this address a member. The rest is for a person who is new: `isNew` says whether they are. */
export async function joinByEmail(tx: Database, place: Place, person: Joining) {
  const id = randomUUID()
  const user = await upsertUser(tx, { id, ...person })
  await insertMembership(tx, { ...place, userId: user.id })
  return { ...user, name: await showName(tx, user), isNew: user.id === id }
}
