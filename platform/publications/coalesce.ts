/** At once in this process; whoever comes beyond has to come again. */
const maxRunning = 64

type Fresh<Result> = { find(key: string): Result | undefined; keep(key: string, result: Result): void }

/**
 * Does the work of one key once for everybody who asks while it goes on and while its result is fresh, so that many viewers
 * of one page cost one execution. A failure reaches those who waited for it and nobody after them. `work` is an async function.
 */
export function coalesce<Result>(fresh: Fresh<Result>, refuse: () => Error) {
  const running = new Map<string, Promise<Result>>()

  const run = async (key: string, work: () => Promise<Result>) => {
    try {
      const result = await work()
      fresh.keep(key, result)
      return result
    } finally {
      running.delete(key)
    }
  }

  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const kept = fresh.find(key)
    if (kept !== undefined) return Promise.resolve(kept)
    const begun = running.get(key)
    if (begun) return begun
    if (running.size >= maxRunning) return Promise.reject(refuse())
    const begins = run(key, work)
    running.set(key, begins)
    return begins
  }
}
