import { untilConnected } from '#src/api/connection.ts'

const key = 'assay.reloaded-at'
const patienceMs = 60_000

/** Reloads at most once a minute. If a file is still missing, the page isn't just outdated. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number) {
  const last = Number(storage.getItem(key) ?? Number.NEGATIVE_INFINITY)
  if (now - last < patienceMs) return false
  storage.setItem(key, String(now))
  return true
}

/**
 * After an upgrade an open page still refers to files of the previous build, which no longer exist. Vite reports this
 * with `vite:preloadError`; the next page is then loaded from the new build.
 */
export function reloadWhenStale(bound: () => string) {
  window.addEventListener('vite:preloadError', () => {
    void reloadOnceConnected(bound)
  })
}

/** A file may also be missing because the server is down; reloading would then show the browser's error page. */
async function reloadOnceConnected(bound: () => string) {
  await untilConnected()
  if (!mayReload(sessionStorage, Date.now())) return
  const { pathname, search } = window.location
  if (bound() === pathname + search) window.location.reload()
  else window.location.assign(bound())
}
