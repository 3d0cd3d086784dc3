import { useDeferredValue, useMemo, useState } from 'react'

import type { Turn } from '#contract/runs.ts'
import { type Match, findInTurns, matchFrom } from './transcript-find.ts'

/** A search and where it stands. The list stays responsive: matches follow the typing a moment later. */
export function useFind(turns: readonly Turn[], firstVisible: () => number) {
  const [search, setSearch] = useState('')
  const [step, setStep] = useState<{ search: string; number: number } | null>(null)
  const deferred = useDeferredValue(search)
  const matches = useMemo(() => findInTurns(turns, deferred), [turns, deferred])
  const number = matches.length === 0 || step?.search !== deferred ? null : step.number % matches.length
  const match: Match | null = number === null ? null : (matches[number] ?? null)
  const go = (by: 1 | -1) => {
    if (matches.length === 0) return
    const from = number === null ? matchFrom(matches, firstVisible()) : number + by
    setStep({ search: deferred, number: (from + matches.length) % matches.length })
  }
  return { search, setSearch, matches, step, number, match, go }
}
export type Find = ReturnType<typeof useFind>
