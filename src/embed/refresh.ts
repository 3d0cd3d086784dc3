import type { PublishedResponse } from './fetch-published.ts'

const usualMs = 60_000
const slowestMs = 15 * 60_000

/**
 * The time until the next refresh: one minute, doubled after each failure, at least what the server asks for, with 10 %
 * jitter so that many displays don't refresh together. Null means never.
 */
export function refreshDelay(response: PublishedResponse, failures: number, random: number): number | null {
  if (response.kind === 'gone') return null
  const requestedMs = response.kind === 'failed' && response.retryAfterSeconds ? response.retryAfterSeconds * 1000 : 0
  return Math.max(requestedMs, Math.min(slowestMs, usualMs * 2 ** failures) * (0.9 + 0.2 * random))
}

type Page = {
  load: (signal: AbortSignal) => Promise<PublishedResponse>
  show: (response: PublishedResponse) => void
}

/** Refreshes immediately, then repeatedly while the page is visible. Returns a function that refreshes now. */
export function refreshWhileVisible({ load, show }: Page): () => void {
  let failures = 0
  let dueAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined

  async function refresh() {
    clearTimeout(timer)
    running?.abort()
    const own = new AbortController()
    running = own
    const response = await load(own.signal)
    if (own.signal.aborted) return
    running = undefined
    failures = response.kind === 'failed' ? failures + 1 : 0
    const delay = refreshDelay(response, failures, Math.random())
    dueAt = delay === null ? Infinity : Date.now() + delay
    show(response)
    schedule()
  }

  function schedule() {
    clearTimeout(timer)
    if (document.hidden || running || dueAt === Infinity) return
    timer = setTimeout(() => void refresh(), Math.max(0, dueAt - Date.now()))
  }

  document.addEventListener('visibilitychange', schedule)
  void refresh()
  return () => void refresh()
}
