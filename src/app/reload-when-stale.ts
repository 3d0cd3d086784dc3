import { untilConnected } from '#src/api/connection.ts'

const key = 'assay.reloaded-at'
const patienceMs = 60_000

/** Once a minute at most: a file that is missing after a reload too is not the fault of an old page. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number) {
  const last = Number(storage.getItem(key) ?? Number.NEGATIVE_INFINITY)
  if (now - last < patienceMs) return false
  storage.setItem(key, String(now))
  return true
}

/**
 * After an upgrade an open page still names the files of the build before, which are gone. Vite says so with
 * `vite:preloadError`; the page that was on its way is then loaded anew, by the new build.
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
