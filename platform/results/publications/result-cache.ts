const maxResults = 32

type CacheEntry<Result> = { result: Result; bytes: number; until: number; timer: NodeJS.Timeout }

/**
 * Caches results for `freshMs` milliseconds and then releases them, even without further requests. Beyond 32 results,
 * or `maxBytes` in total, the oldest are evicted. A single result larger than `maxBytes` is not cached.
 */
export function createResultCache<Result>(freshMs: number, maxBytes: number, bytesOf: (result: Result) => number) {
  const entries = new Map<string, CacheEntry<Result>>()
  let bytesKept = 0

  const drop = (key: string) => {
    const dropped = entries.get(key)
    if (!dropped) return
    clearTimeout(dropped.timer)
    entries.delete(key)
    bytesKept -= dropped.bytes
  }

  return {
    find(key: string): Result | undefined {
      const found = entries.get(key)
      return found && found.until > Date.now() ? found.result : undefined
    },

    keep(key: string, result: Result) {
      drop(key)
      const bytes = bytesOf(result)
      if (bytes > maxBytes) return
      for (const oldest of entries.keys()) {
        if (entries.size < maxResults && bytesKept + bytes <= maxBytes) break
        drop(oldest)
      }
      // `unref`, because this timer must not keep the process alive.
      const timer = setTimeout(drop, freshMs, key).unref()
      entries.set(key, { result, bytes, until: Date.now() + freshMs, timer })
      bytesKept += bytes
    },

    bytesKept: () => bytesKept,
  }
}
