/** More at once would delay each other and the rest of the page. */
const atOnce = 3

let loading = 0
const waiting = new Set<() => void>()

/**
 * Calls `start` as soon as fewer than three figures load. Returns the function that ends the turn, or the wait for it.
 */
export function takeTurn(start: () => void): () => void {
  let stage: 'waiting' | 'loading' | 'ended' = 'waiting'
  const begin = () => {
    waiting.delete(begin)
    stage = 'loading'
    loading += 1
    start()
  }
  if (loading < atOnce) begin()
  else waiting.add(begin)
  return () => {
    waiting.delete(begin)
    if (stage === 'loading') {
      loading -= 1
      const [next] = waiting
      next?.()
    }
    stage = 'ended'
  }
}
