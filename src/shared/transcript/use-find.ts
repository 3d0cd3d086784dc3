import { useDeferredValue, useMemo, useRef, useState } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { type Match, findInTurns, matchFrom } from './transcript-find.ts'

/** The search in one transcript. The list stays responsive, because matches are updated shortly after the typing. */
export function useFind(turns: readonly Turn[], search: string) {
  const firstVisible = useRef(0)
  const [step, setStep] = useState<{ search: string; number: number } | null>(null)
  const deferred = useDeferredValue(search)
  const matches = useMemo(() => findInTurns(turns, deferred), [turns, deferred])
  const number = matches.length === 0 || step?.search !== deferred ? null : step.number % matches.length
  const match: Match | null = number === null ? null : (matches[number] ?? null)
  const go = (by: 1 | -1) => {
    // If Enter is pressed before the list has updated, search for the typed text and not for the old one.
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
