import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'

import type { Turn } from '#contract/transcripts.ts'
import { readFocus } from '#src/url/focus-state.ts'
import { type Entry, entryAt } from './transcript-entries.ts'
import { indexOfSeq } from './transcript-view.ts'
import type { Find } from './use-find.ts'

type Options = {
  virtualizer: Virtualizer<HTMLDivElement, Element>
  scroller: { readonly current: HTMLDivElement | null }
  turns: readonly Turn[]
  entries: readonly Entry[]
  requested: number | null
  find: Find
  isLive: boolean
}

/** Brings into view what the URL names and what a search steps to. */
export function useTranscriptScroll({ virtualizer, scroller, turns, entries, requested, find, isLive }: Options) {
  const { state, key } = useLocation()
  const isLoaded = requested !== null && (turns.at(-1)?.seq ?? -1) >= requested
  const jump = readFocus(state) === 'turn' ? key : null
  // A turn far away comes to the middle; a neighbour of what is in view moves the list no more than it must.
  const revealTurn = useEffectEvent((seq: number) => {
    const index = entryAt(entries, indexOfSeq(turns, seq))
    const { range } = virtualizer
    const isNear = range !== null && index >= range.startIndex - 1 && index <= range.endIndex + 1
    virtualizer.scrollToIndex(index, { align: isNear ? 'auto' : 'center' })
  })
  const startAtEnd = useEffectEvent(() => isLive && requested === null && virtualizer.scrollToEnd())
  // Browser API: scrolling a run under way to where it is now, unless the URL names a turn.
  useEffect(() => {
    startAtEnd()
  }, [])
  // Browser API: scrolling to the turn the URL names, once it is here; on a phone the page scrolls too.
  useEffect(() => {
    if (requested === null || !isLoaded) return
    revealTurn(requested)
    return whenPresent(scroller, 'article[aria-current]', (turn) => turn.scrollIntoView({ block: 'nearest' }))
  }, [requested, isLoaded, scroller])
  // Browser API: the focus follows whoever jumped here by key, and the turn comes into view once more.
  useEffect(() => {
    if (requested === null || !isLoaded || jump === null) return
    revealTurn(requested)
    return whenPresent(scroller, 'article[aria-current]', (turn) => turn.focus({ preventScroll: true }))
  }, [requested, isLoaded, jump, scroller])

  const { step, match } = find
  const isFound = match !== null
  const revealMatch = useEffectEvent(
    () => match && virtualizer.scrollToIndex(entryAt(entries, match.index), { align: 'center' }),
  )
  // Browser API: scrolling to the match somebody stepped to; inside a long turn, to the very word.
  useEffect(() => {
    if (!step || !isFound) return
    revealMatch()
    return keepInView(scroller, '[data-current]')
  }, [step, isFound, scroller])
}

const framesToWait = 30

/** A virtual entry exists only some frames after the scroll that reveals it. Returns how to stop waiting. */
function whenPresent(
  scroller: { readonly current: HTMLElement | null },
  selector: string,
  then: (element: HTMLElement) => void,
) {
  let frame = 0
  let waited = 0
  const look = () => {
    const found = scroller.current?.querySelector<HTMLElement>(selector)
    waited += 1
    if (found && waited > 2) then(found)
    else if (waited < framesToWait) frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

/** A busy machine draws few frames and measures late, so both must have passed. */
const framesToSettle = 20
const settledMs = 1000
const maxMs = 15_000
const userScrollEvents = ['wheel', 'touchmove', 'pointerdown'] as const

/**
 * A long turn grows while its parts are laid out, and the list corrects itself meanwhile, so the word is brought back
 * until it stays, or until the reader scrolls or presses a key. Returns how to stop.
 */
function keepInView(scroller: { readonly current: HTMLElement | null }, selector: string) {
  const stopped = new AbortController()
  const { signal } = stopped
  const stop = () => stopped.abort()
  for (const event of userScrollEvents) window.addEventListener(event, stop, { passive: true, capture: true, signal })
  // Captured, so that the key that stepped here, still on its way up, does not stop it at once.
  window.addEventListener('keydown', stop, { capture: true, signal })
  const until = performance.now() + maxMs
  let [still, stillSince] = [0, performance.now()]
  // On a phone the list stands half below the fold; once the page shows the word, it is the reader's to scroll.
  let wasSeen = false
  const look = (now: number) => {
    if (signal.aborted) return
    const found = scroller.current?.querySelector<HTMLElement>(selector)
    const place = found && scroller.current && placeOf(found, scroller.current)
    wasSeen ||= place === 'in the window'
    const isVisible = place === 'in the window' || (place === 'in the list' && wasSeen)
    if (found && !isVisible) found.scrollIntoView({ block: 'center' })
    if (!isVisible) [still, stillSince] = [0, now]
    still += 1
    const isSettled = still > framesToSettle && now - stillSince > settledMs
    if (!isSettled && now < until) requestAnimationFrame(look)
    else stop()
  }
  requestAnimationFrame(look)
  return stop
}

/** Null where the list itself has scrolled away from it. */
function placeOf(element: HTMLElement, list: HTMLElement) {
  const [inner, outer] = [element.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top < outer.top || inner.bottom > outer.bottom) return null
  return inner.top >= 0 && inner.bottom <= window.innerHeight ? 'in the window' : 'in the list'
}
