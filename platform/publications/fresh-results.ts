const maxResults = 32

type Kept<Result> = { result: Result; bytes: number; until: number; timer: NodeJS.Timeout }

/**
 * Keeps results for `freshMs` and lets go of them then, whether or not anybody asks. Beyond 32, or `maxBytes` together,
 * the oldest go first; one that is larger alone is not kept.
 */
export function freshResults<Result>(freshMs: number, maxBytes: number, bytesOf: (result: Result) => number) {
  const kept = new Map<string, Kept<Result>>()
  let bytesKept = 0

  const drop = (key: string) => {
    const dropped = kept.get(key)
    if (!dropped) return
    clearTimeout(dropped.timer)
    kept.delete(key)
    bytesKept -= dropped.bytes
  }

  return {
    find(key: string): Result | undefined {
      const found = kept.get(key)
      return found && found.until > Date.now() ? found.result : undefined
    },

    keep(key: string, result: Result) {
      drop(key)
      const bytes = bytesOf(result)
      if (bytes > maxBytes) return
      for (const oldest of kept.keys()) {
        if (kept.size < maxResults && bytesKept + bytes <= maxBytes) break
        drop(oldest)
      }
      // No reason for the process to live on.
      const timer = setTimeout(drop, freshMs, key).unref()
      kept.set(key, { result, bytes, until: Date.now() + freshMs, timer })
      bytesKept += bytes
    },

    bytesKept: () => bytesKept,
  }
}
