import type { BlobStore } from './blobs.ts'

/** Starting thousands of deletions at once would hold up the thread. */
const deletesAtOnce = 50

/** The same store, whose deletions can be made to wait. */
export function withHeldDeletes(store: BlobStore) {
  let holders = 0
  const waiting = new Set<string>()
  /** Some at a time: what is put again meanwhile waits no more, and another hold keeps the rest. */
  const deleteWaiting = async (): Promise<void> => {
    const some = holders > 0 ? [] : waiting.values().take(deletesAtOnce).toArray()
    if (some.length === 0) return
    for (const key of some) waiting.delete(key)
    await Promise.all(some.map((key) => store.delete(key)))
    return deleteWaiting()
  }
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
        await deleteWaiting()
      }
    },
  }
}
