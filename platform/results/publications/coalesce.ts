/** The maximum of concurrent executions in this process. Further callers must retry. */
const maxRunning = 64

type Fresh<Result> = { find(key: string): Result | undefined; keep(key: string, result: Result): void }

/**
 * Does the work of a key once for all callers that ask while it runs and while its result is fresh, so that many
 * viewers of one page cost one execution. A failure reaches the callers that waited for it, and no later caller. `work`
 * is an async function.
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
    const current = running.get(key)
    if (current) return current
    if (running.size >= maxRunning) return Promise.reject(refuse())
    const started = run(key, work)
    running.set(key, started)
    return started
  }
}
