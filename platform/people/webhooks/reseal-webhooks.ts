import type { Services } from '#platform/ground/context/context.ts'
import { openSending, sealSending } from './seal.ts'
import { findSealedWithOtherKeys, resealWebhook } from './store.ts'

const batch = 100

/**
 * Encrypts every webhook with the newest key of the installation. It can be killed at any moment and run again. Returns
 * how many were encrypted, and the ids of those that no key decrypts.
 */
export async function resealWebhooks({ db, keys }: Pick<Services, 'db' | 'keys'>) {
  const newest = keys.current('webhooks').id
  const unreadable: string[] = []
  let rotated = 0
  for (let after: string | undefined; ;) {
    const rows = await findSealedWithOtherKeys(db, newest, after, batch)
    for (const { id, ...before } of rows) {
      const sending = openSending(keys, id, before)
      if (sending === null) unreadable.push(id)
      else if (await resealWebhook(db, id, before, sealSending(keys, id, sending))) rotated += 1
    }
    after = rows.at(-1)?.id
    if (rows.length < batch) return { rotated, unreadable }
  }
}
