import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'

import type { Turn } from '#contract/transcripts.ts'
import { readFocus } from '#src/url/focus-state.ts'
import type { Entries } from './transcript-entries.ts'
import { indexOfSeq } from './transcript-view.ts'
import type { Find } from './use-find.ts'

type Options = {
  virtualizer: Virtualizer<HTMLDivElement, Element>
  scroller: { readonly current: HTMLDivElement | null }
  turns: readonly Turn[]
  entries: Entries
  requested: number | null
  find: Find
  isLive: boolean
}

/** Scrolls to the turn in the URL and to the current match. */
export function useTranscriptScroll({ virtualizer, scroller, turns, entries, requested, find, isLive }: Options) {
  const { state, key } = useLocation()
  const isLoaded = requested !== null && (turns.at(-1)?.seq ?? -1) >= requested
  const jump = readFocus(state) === 'turn' ? key : null
  // A distant turn is centered; a nearby turn moves the list as little as possible.
  const revealTurn = useEffectEvent((seq: number) => {
    const index = entries.at(indexOfSeq(turns, seq))
    const { range } = virtualizer
    const isNear = range !== null && index >= range.startIndex - 1 && index <= range.endIndex + 1
    virtualizer.scrollToIndex(index, { align: isNear ? 'auto' : 'center' })
  })
  const startAtEnd = useEffectEvent(() => isLive && requested === null && virtualizer.scrollToEnd())
  // Browser API: scrolls a live run to its end, unless the URL has a turn.
  useEffect(() => {
    startAtEnd()
  }, [])
  // Browser API: scrolls to the turn in the URL once it is loaded; on a phone the page scrolls too.
  useEffect(() => {
    if (requested === null || !isLoaded) return
    revealTurn(requested)
    return whenPresent(scroller, (turn) => turn.scrollIntoView({ block: 'nearest' }))
  }, [requested, isLoaded, scroller])
  // Browser API: focuses the turn after a jump with the keyboard, and scrolls to it again.
  useEffect(() => {
    if (requested === null || !isLoaded || jump === null) return
    revealTurn(requested)
    return whenPresent(scroller, (turn) => turn.focus({ preventScroll: true }))
  }, [requested, isLoaded, jump, scroller])

  const { step, match } = find
  const isFound = match !== null
  const revealMatch = useEffectEvent(
    () => match && virtualizer.scrollToIndex(entries.at(match.index), { align: 'center' }),
  )
  // Browser API: scrolls to the current match, even within a long turn.
  useEffect(() => {
    if (!step || !isFound) return
    revealMatch()
    return keepInView(scroller)
  }, [step, isFound, scroller])
}

const framesToWait = 30

type Scroller = { readonly current: HTMLElement | null }

/** Waits for the current turn, which exists only some frames after the scroll. Returns a function that stops waiting. */
function whenPresent(scroller: Scroller, then: (turn: HTMLElement) => void) {
  let frame = 0
  let waited = 0
  const look = () => {
    const found = scroller.current?.querySelector<HTMLElement>('article[aria-current]')
    waited += 1
    if (found && waited > 2) then(found)
    else if (waited < framesToWait) frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

/** A busy machine draws few frames and measures late, so both limits must pass. */
const framesToSettle = 20
const settledMs = 1000
const maxMs = 15_000
const userScrollEvents = ['wheel', 'touchmove', 'pointerdown'] as const

/**
 * Scrolls back to the match until it stays in view, because a long turn grows during layout and the list corrects its
 * position. Stops when the reader scrolls or presses a key. Returns a function that stops it.
 */
function keepInView(scroller: Scroller) {
  const stopped = new AbortController()
  const { signal } = stopped
  const stop = () => stopped.abort()
  for (const event of userScrollEvents) window.addEventListener(event, stop, { passive: true, capture: true, signal })
  // Captured, so that the key press that started this does not stop it at once.
  window.addEventListener('keydown', stop, { capture: true, signal })
  const until = performance.now() + maxMs
  let [still, stillSince] = [0, performance.now()]
  // On a phone the lower half of the list is below the fold. Once the match has been visible, the reader controls the
  // page scroll.
  let wasSeen = false
  const look = (now: number) => {
    if (signal.aborted) return
    const found = scroller.current?.querySelector<HTMLElement>('[data-current]')
    const place = found && scroller.current && visibilityOf(found, scroller.current)
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

/** Null if the list itself has scrolled past the element. */
function visibilityOf(element: HTMLElement, list: HTMLElement) {
  const [inner, outer] = [element.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top < outer.top || inner.bottom > outer.bottom) return null
  return inner.top >= 0 && inner.bottom <= window.innerHeight ? 'in the window' : 'in the list'
}
