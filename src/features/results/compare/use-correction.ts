import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { measuredValue } from '#contract/score-measures.ts'

import { type ComparedRuns, allPairsOptions } from './compare-in-worker.ts'
import { type CorrectedPair, type Question, allPairs } from './compare-pairs.ts'
import { maxRanked } from '#statistics/leaderboard/relate-rows.ts'
import { keyOfGroup } from './compare-sides.ts'
import type { Candidate } from './to-candidates.ts'

/** All pairs with verdicts that account for the number of groups. */
export type Correction = {
  /** Those with a value to compare. */
  groups: number
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
  const isTooMany = candidates.length > maxRanked
  const pairs = useMemo(
    () => (isTooMany ? [] : allPairs(candidates.map(({ value }) => value))),
    [candidates, isTooMany],
  )
  const groups = useMemo(() => {
    const keyOf = keyOfGroup(question.compared)
    const valued = compared.runs.filter((run) => measuredValue(run, question.measure) !== null)
    return new Set(valued.map(keyOf)).size
  }, [compared.runs, question.compared, question.measure])
  const { data, error, refetch } = useQuery({
    ...allPairsOptions(compared, question, pairs),
    enabled: pairs.length > 1,
  })
  return { groups, isTooMany, pairs: data, error, retry: () => void refetch() }
}
