type Waiting = () => void

/**
 * Does at most `atOnce` pieces of work at once. The organizations that wait have turns, and none occupies the last place,
 * so that the work of one does not wait until all that another has sent is done.
 */
export function fairTurns(atOnce: number) {
  const ofOne = Math.max(1, atOnce - 1)
  /** The organization at the front has its turn next. */
  const waiting = new Map<string, Waiting[]>()
  const active = new Map<string, number>()
  let busy = 0

  const count = (organizationId: string, change: 1 | -1) => {
    const now = (active.get(organizationId) ?? 0) + change
    if (now > 0) active.set(organizationId, now)
    else active.delete(organizationId)
    busy += change
  }
  const startNext = () => {
    for (const [organizationId, queue] of waiting) {
      if (busy >= atOnce) return
      if ((active.get(organizationId) ?? 0) >= ofOne) continue
      const start = queue.shift()
      waiting.delete(organizationId)
      if (queue.length > 0) waiting.set(organizationId, queue)
      count(organizationId, 1)
      start?.()
    }
  }
  return async <Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> => {
    const started = Promise.withResolvers<void>()
    waiting.set(organizationId, [...(waiting.get(organizationId) ?? []), started.resolve])
    startNext()
    await started.promise
    try {
      return await work()
    } finally {
      count(organizationId, -1)
      startNext()
    }
  }
}
