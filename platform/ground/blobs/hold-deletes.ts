import type { BlobStore } from './blobs.ts'

/** The same store, whose deletions can be made to wait. */
export function withHeldDeletes(store: BlobStore) {
  let holders = 0
  const waiting = new Set<string>()
  return {
    ...store,
    async put(key: string, bytes: Uint8Array) {
      waiting.delete(key)
      await store.put(key, bytes)
    },
    async delete(key: string) {
      if (holders > 0) waiting.add(key)
      else await store.delete(key)
    },
    areDeletesHeld: () => holders > 0,
    /** Until the returned function is called, nothing is deleted. What was deleted meanwhile is deleted then. */
    holdDeletes() {
      holders += 1
      return async () => {
        holders -= 1
        if (holders > 0) return
        const keys = [...waiting]
        waiting.clear()
        await Promise.all(keys.map((key) => store.delete(key)))
      }
    },
  }
}
