import { demoLinkHash } from '#contract/session.ts'

const isInAddress = () => window.location.hash.startsWith(demoLinkHash)

/** When this module loads, which is before the router and anything else can copy the address. */
function moveOutOfAddress() {
  if (!isInAddress()) return null
  const { hash, pathname, search } = window.location
  window.history.replaceState(window.history.state, '', pathname + search)
  return hash.slice(demoLinkHash.length)
}

let secret = moveOutOfAddress()

// An address that is pasted into an open tab only changes its fragment.
window.addEventListener('hashchange', () => isInAddress() && window.location.reload())

/** The secret in the address that `npm start` printed. Returns it once. */
export function takeDemoSecret() {
  const taken = secret
  secret = null
  return taken
}
