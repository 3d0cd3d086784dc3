import { use, useState } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { Entries } from './transcript-entries.ts'
import { indexOfSeq } from './transcript-view.ts'
import { TurnParameter } from './turn-parameter.ts'

type Options = {
  frame: { readonly current: HTMLElement | null }
  entries: Entries
  turns: readonly Turn[]
  requested: number | null
  firstVisible: () => number
}

/** `j` and `k` move between entries, and Enter expands or collapses one. Returns the turn reached last. */
export function useTurnKeys({ frame, entries, turns, requested, firstVisible }: Options) {
  const url = useQueryState()
  const parameter = use(TurnParameter)
  const [walkedTo, setWalkedTo] = useState<number | null>(null)
  // With two transcripts on the page, the focused one handles the keys.
  const hasKeys = () => {
    const focused = document.activeElement?.closest('[data-transcript]') ?? null
    return focused === null || focused === frame.current
  }
  const move = (by: 1 | -1) => {
    if (!hasKeys()) return false
    const from = requested === null ? firstVisible() - by : entries.at(indexOfSeq(turns, requested))
    const next = entries.list[Math.min(Math.max(from + by, 0), entries.list.length - 1)]
    if (!next) return false
    setWalkedTo(next.turn.seq)
    url.set({ [parameter]: String(next.turn.seq) })
    return true
  }
  useShortcut('next', () => move(1))
  useShortcut('previous', () => move(-1))
  useShortcut('open', ({ target }) => {
    // On a button or a link, Enter activates that.
    if (!hasKeys() || (target instanceof Element && target.closest('button, a, summary'))) return false
    const fold = frame.current?.querySelector<HTMLElement>('article[aria-current] button[aria-expanded]')
    fold?.click()
    return fold !== null && fold !== undefined
  })
  return walkedTo
}
