import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { type ComparedRuns, allPairsOptions } from './compare-in-worker.ts'
import { type CorrectedPair, type Question, allPairs, maxPairs } from './compare-pairs.ts'
import type { Candidate } from './to-candidates.ts'

/** All pairs with verdicts corrected for the number of pairs. */
export type Correction = {
  pairCount: number
  isTooMany: boolean
  /** Undefined while they are being compared, or if there are too many. */
  pairs: CorrectedPair[] | undefined
  error: Error | null
  retry: () => void
}

export function useCorrection(
  compared: ComparedRuns,
  question: Question,
  candidates: readonly Candidate[],
): Correction {
  const pairs = useMemo(() => allPairs(candidates.map(({ value }) => value)), [candidates])
  const isTooMany = pairs.length > maxPairs
  const { data, error, refetch } = useQuery({
    ...allPairsOptions(compared, question, pairs),
    enabled: pairs.length > 1 && !isTooMany,
  })
  return { pairCount: pairs.length, isTooMany, pairs: data, error, retry: () => void refetch() }
}
