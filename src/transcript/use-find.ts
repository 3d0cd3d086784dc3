import { useDeferredValue, useMemo, useRef, useState } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { type Match, findInTurns, matchFrom } from './transcript-find.ts'

/** Where a search stands in one conversation. The list stays responsive: matches follow the typing a moment later. */
export function useFind(turns: readonly Turn[], search: string) {
  const firstVisible = useRef(0)
  const [step, setStep] = useState<{ search: string; number: number } | null>(null)
  const deferred = useDeferredValue(search)
  const matches = useMemo(() => findInTurns(turns, deferred), [turns, deferred])
  const number = matches.length === 0 || step?.search !== deferred ? null : step.number % matches.length
  const match: Match | null = number === null ? null : (matches[number] ?? null)
  const go = (by: 1 | -1) => {
    // Whoever presses Enter as soon as the word is written means the word, not what the list has come to show of it.
    const found = search === deferred ? matches : findInTurns(turns, search)
    if (found.length === 0) return
    const from = number === null || search !== deferred ? matchFrom(found, firstVisible.current) : number + by
    setStep({ search, number: (from + found.length) % found.length })
  }
  const onScrolled = (turnIndex: number) => {
    firstVisible.current = turnIndex
  }
  return { matches, step, number, match, go, onScrolled }
}
export type Find = ReturnType<typeof useFind>
