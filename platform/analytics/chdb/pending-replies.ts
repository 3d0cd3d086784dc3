type Pending = { resolve: (rows: Uint8Array) => void; reject: (error: Error) => void; deadline: NodeJS.Timeout }

/** Requests an engine process has yet to answer, each with its deadline; `onIdle` is called when none is left. */
export function pendingReplies(onIdle: () => void) {
  const waiting = new Map<number, Pending>()
  let lastId = 0

  const settle = (id: number, act: (pending: Pending) => void) => {
    const pending = waiting.get(id)
    if (!pending) return
    waiting.delete(id)
    clearTimeout(pending.deadline)
    if (waiting.size === 0) onIdle()
    act(pending)
  }

  return {
    add(deadline: NodeJS.Timeout) {
      const { promise: reply, resolve, reject } = Promise.withResolvers<Uint8Array>()
      const id = ++lastId
      waiting.set(id, { resolve, reject, deadline })
      return { id, reply }
    },
    resolve: (id: number, rows: Uint8Array) => settle(id, (pending) => pending.resolve(rows)),
    reject: (id: number, error: Error) => settle(id, (pending) => pending.reject(error)),
    rejectAll(error: Error) {
      for (const id of waiting.keys()) settle(id, (pending) => pending.reject(error))
    },
  }
}
