import { useEffect, useRef, useState } from 'react'
import { useMergedRef } from '@mantine/hooks'

import { takeTurn } from './figure-turns.ts'
import { useSeen } from './use-seen.ts'

/** What the views show until they have their data. */
const unfinished = '[aria-busy="true"], .mantine-Skeleton-root'

/**
 * Loads a figure when it comes near the screen and fewer than three others load. Put `ref` and `data-figure={stage}` on
 * the element of the figure, and show its content unless the stage is `waiting`.
 */
export function useFigureLoad<Element extends HTMLElement>() {
  const [seenRef, isSeen] = useSeen<Element>()
  const figure = useRef<Element>(null)
  const [stage, setStage] = useState<'waiting' | 'loading' | 'ready'>('waiting')
  // Browser API: the content says in its elements whether it still loads, whatever view it is.
  useEffect(() => {
    const element = figure.current
    if (!isSeen || !element) return undefined
    const observer = new MutationObserver(() => {
      if (element.dataset['figure'] === 'waiting' || element.querySelector(unfinished)) return
      observer.disconnect()
      setStage('ready')
      end()
    })
    observer.observe(element, {
      subtree: true,
      childList: true,
      attributeFilter: ['aria-busy', 'data-figure', 'class'],
    })
    const end = takeTurn(() => setStage('loading'))
    return () => {
      observer.disconnect()
      end()
    }
  }, [isSeen])
  return { ref: useMergedRef(seenRef, figure), stage }
}
