// Held from the start, because tests replace them.
const { setImmediate } = globalThis
const now = performance.now.bind(performance)

/** How long statements may follow each other before others get a turn. Everything on the thread waits that long. */
const maxMs = 8

/**
 * Returns a function to await before each statement of an embedded database. It answers within microtasks, so a loop of
 * statements would never let the event loop turn: no request, heartbeat or timer runs until the loop ends.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let since: number | undefined
  return () => {
    if (since === undefined) {
      since = now()
      setImmediate(() => (since = undefined))
    }
    return now() - since < maxMs ? undefined : new Promise((resolve) => setImmediate(resolve))
  }
}
