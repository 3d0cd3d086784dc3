import type { Services } from '#platform/context/context.ts'
import { forgetOldNews } from './forget-old-news.ts'

const everyMs = 60 * 60_000

/** Nobody waits for it: what a start needs goes first. */
const firstAfterMs = 60_000

/** Forgets old news every hour for as long as the platform runs. Returns how to stop, which settles with the pass under way. */
export function startForgetting(services: Pick<Services, 'db'>) {
  const stopping = new AbortController()
  let working = Promise.resolve()
  const forget = async () => {
    try {
      while (!stopping.signal.aborted && (await forgetOldNews(services)));
    } catch (error) {
      console.error('Old notifications could not be forgotten, and will be in an hour:', error)
    }
  }
  const begin = () => void (working = working.then(forget))
  const first = setTimeout(begin, firstAfterMs).unref()
  const timer = setInterval(begin, everyMs).unref()
  return () => {
    stopping.abort()
    clearTimeout(first)
    clearInterval(timer)
    return working
  }
}
