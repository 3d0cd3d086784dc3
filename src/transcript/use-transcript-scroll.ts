import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'

import type { Turn } from '#contract/runs.ts'
import { readFocus } from '#src/url/focus-state.ts'
import { type Entry, entryAt } from './transcript-entries.ts'
import { indexOfSeq } from './transcript-view.ts'
import type { Find } from './use-find.ts'

type Options = {
  virtualizer: Virtualizer<HTMLDivElement, Element>
  scroller: { readonly current: HTMLDivElement | null }
  turns: readonly Turn[]
  entries: readonly Entry[]
  asked: number | null
  find: Find
  isLive: boolean
}

/** Brings into view what the URL names and what a search steps to. */
export function useTranscriptScroll({ virtualizer, scroller, turns, entries, asked, find, isLive }: Options) {
  const { state, key } = useLocation()
  const isLoaded = asked !== null && (turns.at(-1)?.seq ?? -1) >= asked
  const jump = readFocus(state) === 'turn' ? key : null
  const revealTurn = useEffectEvent((seq: number) =>
    virtualizer.scrollToIndex(entryAt(entries, indexOfSeq(turns, seq)), { align: 'auto' }),
  )
  const startAtEnd = useEffectEvent(() => isLive && asked === null && virtualizer.scrollToEnd())
  // Browser API: scrolling a run under way to where it is now, unless the URL names a turn.
  useEffect(() => {
    startAtEnd()
  }, [])
  // Browser API: scrolling to the turn the URL names, once it is here.
  useEffect(() => {
    if (asked !== null && isLoaded) revealTurn(asked)
  }, [asked, isLoaded])
  // Browser API: the focus follows whoever jumped here by key, and the turn comes into view once more.
  useEffect(() => {
    if (asked === null || !isLoaded || jump === null) return
    revealTurn(asked)
    return whenPresent(scroller, 'article[aria-current]', (turn) => turn.focus({ preventScroll: true }))
  }, [asked, isLoaded, jump, scroller])

  const { step, match } = find
  const revealMatch = useEffectEvent(
    () => match && virtualizer.scrollToIndex(entryAt(entries, match.index), { align: 'center' }),
  )
  // Browser API: scrolling to the match somebody stepped to; inside a long turn, to the very word.
  useEffect(() => {
    if (!step) return
    revealMatch()
    return whenPresent(scroller, '[data-current]', (word) => word.scrollIntoView({ block: 'center' }))
  }, [step, scroller])
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
