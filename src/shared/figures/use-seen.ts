import { useCallback, useState } from 'react'

/** How far below the screen a figure starts to load. */
const margin = '800px'

const seeAllEvent = 'assay:see-all'

/** Makes everything on the page count as seen. */
export const seeAll = () => window.dispatchEvent(new Event(seeAllEvent))

/** True from the moment at which the element has come near the screen. */
export function useSeen<Element extends HTMLElement>() {
  const [isSeen, setSeen] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setSeen(true)
        observer.disconnect()
      },
      { rootMargin: margin },
    )
    // Everything is printed, also what nobody scrolled to.
    const see = () => setSeen(true)
    window.addEventListener('beforeprint', see)
    window.addEventListener(seeAllEvent, see)
    observer.observe(element)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', see)
      window.removeEventListener(seeAllEvent, see)
    }
  }, [])
  return [ref, isSeen] as const
}
