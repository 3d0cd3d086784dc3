const useLastsMs = 60_000
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

// The page has just been opened, which somebody did.
let usedAt = Date.now()

if (typeof window !== 'undefined') {
  for (const sign of signs) {
    window.addEventListener(sign, () => void (usedAt = Date.now()), { capture: true, passive: true })
  }
}

/** Whether nobody has used this page for a minute: what it asks for meanwhile must not extend the session. */
export const isLeftAlone = () => Date.now() - usedAt > useLastsMs
