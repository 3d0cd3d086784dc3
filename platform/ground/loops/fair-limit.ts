type Start = () => void

/**
 * Does up to `atOnce` works at a time, up to half of them for one organization. What waits is taken from one organization
 * after the other, so none of them waits for all that another has sent.
 */
export function fairLimit(atOnce: number) {
  const mostOfOne = Math.ceil(atOnce / 2)
  /** By organization; the one whose turn is next comes first. */
  const waiting = new Map<string, Start[]>()
  const running = new Map<string, number>()
  let inAll = 0

  function count(organizationId: string, more: 1 | -1) {
    inAll += more
    const own = (running.get(organizationId) ?? 0) + more
    if (own > 0) running.set(organizationId, own)
    else running.delete(organizationId)
  }

  function admit() {
    // An organization that is set again comes last, and is visited once more.
    for (const [organizationId, starts] of waiting) {
      if (inAll >= atOnce) return
      if ((running.get(organizationId) ?? 0) >= mostOfOne) continue
      const start = starts.shift()
      waiting.delete(organizationId)
      if (starts.length > 0) waiting.set(organizationId, starts)
      count(organizationId, 1)
      start?.()
    }
  }

  return async function inTurn<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const starts = waiting.get(organizationId)
    if (starts) starts.push(resolve)
    else waiting.set(organizationId, [resolve])
    admit()
    await promise
    try {
      return await work()
    } finally {
      count(organizationId, -1)
      admit()
    }
  }
}
