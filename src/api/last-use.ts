const useLastsMs = 60_000
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

// Someone has just opened the page.
let usedAt = Date.now()

if (typeof window !== 'undefined') {
  for (const sign of signs) {
    window.addEventListener(sign, () => void (usedAt = Date.now()), { capture: true, passive: true })
  }
}

/** True if nobody has used this page for a minute; its requests must not extend the session then. */
export const isLeftAlone = () => Date.now() - usedAt > useLastsMs
