import type { Services } from '#platform/ground/context/context.ts'
import { openSecret, sealSecret, type SecretKey } from './seal.ts'
import { findSealedWithOtherKeys, resealSecret } from './store.ts'

const batch = 100

/** `unreadable` secrets stay unchanged, because no key of the installation decrypts them. */
export type Rotation = { rotated: number; unreadable: SecretKey[] }

/**
 * Re-encrypts every secret of the installation with its newest key. Each secret is one statement, so the rotation can
 * be killed at any moment and run again: finished secrets are not encrypted twice, and a value that is replaced
 * meanwhile is kept.
 */
export async function rotateSecrets(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  onProgress: (done: number) => void = () => {},
): Promise<Rotation> {
  const newest = keys.current('secrets').id
  const rotation: Rotation = { rotated: 0, unreadable: [] }
  let after: SecretKey | undefined
  for (;;) {
    const rows = await findSealedWithOtherKeys(db, newest, after, batch)
    for (const { organizationId, slug, ...before } of rows) {
      const place = { organizationId, slug }
      const value = openSecret(keys, place, before)
      if (value === null) rotation.unreadable.push(place)
      else if (await resealSecret(db, place, before, sealSecret(keys, place, value))) rotation.rotated += 1
    }
    onProgress(rotation.rotated)
    const last = rows.at(-1)
    if (!last || rows.length < batch) return rotation
    after = { organizationId: last.organizationId, slug: last.slug }
  }
}
