import type { Services } from '#platform/context/context.ts'
import { openSecret, sealSecret, type SecretKey } from './seal.ts'
import { findSealedWithOtherKeys, resealSecret } from './store.ts'

const batch = 100

/** `unreadable`: left as they are, since no key of the installation opens them. */
export type Rotation = { rotated: number; unreadable: SecretKey[] }

/**
 * Encrypts every secret of the installation anew with its newest key. Each is one statement of its own, so that it may be
 * killed at any moment and run again: what is done is not done twice, and a value that somebody replaces meanwhile stays.
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
