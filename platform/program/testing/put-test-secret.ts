import { randomUUID } from 'node:crypto'

import type { Services } from '#platform/ground/context/context.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { sealSecret } from '#platform/inputs/secrets/seal.ts'
import { secrets } from '#platform/ground/database/tables/secrets.ts'

/** Stores or replaces a secret of an organization as any of its members. */
export async function putTestSecret(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  place: { organizationId: string; slug: string },
  value: string,
) {
  const userId = randomUUID()
  const now = new Date().toISOString()
  const sealed = sealSecret(keys, place, value)
  await db.insert(users).values({ id: userId, email: `${userId}@lab.example`, name: 'Test' })
  await db
    .insert(secrets)
    .values({ ...place, ...sealed, createdBy: userId, createdAt: now, updatedBy: userId, updatedAt: now })
    .onConflictDoUpdate({ target: [secrets.organizationId, secrets.slug], set: sealed })
}
