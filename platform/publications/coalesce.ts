/** At once in this process; whoever comes beyond has to come again. */
const mostRunning = 64

const mostFresh = 32

/**
 * Does the work of one key once for everybody who asks while it goes on and for `freshMs` after, so that many viewers of one
 * page cost one execution. A failure reaches those who waited for it and nobody after them. `work` is an async function.
 */
export function coalesce<Result>(freshMs: number, refuse: () => Error) {
  const running = new Map<string, Promise<Result>>()
  const fresh = new Map<string, { result: Result; until: number }>()

  const run = async (key: string, work: () => Promise<Result>) => {
    try {
      const result = await work()
      fresh.set(key, { result, until: Date.now() + freshMs })
      return result
    } finally {
      running.delete(key)
    }
  }

  const forget = () => {
    const now = Date.now()
    for (const [key, { until }] of fresh) if (until <= now || fresh.size > mostFresh) fresh.delete(key)
  }

  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    forget()
    const kept = fresh.get(key)
    if (kept) return Promise.resolve(kept.result)
    const begun = running.get(key)
    if (begun) return begun
    if (running.size >= mostRunning) return Promise.reject(refuse())
    const begins = run(key, work)
    running.set(key, begins)
    return begins
  }
}
