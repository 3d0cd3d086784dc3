import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { CapturedTest, RunDetail } from '#contract/runs.ts'
import { definitionTestsOptions } from '#src/api/definition-tests.ts'
import type { ShownTranscript } from '#src/transcript/use-transcript.ts'
import { definitionOf, lastMention, namesOf } from './mentions.ts'

/** The turn that last names a test or one of its files, as far as the conversation is loaded. */
export function useMention(run: RunDetail, test: CapturedTest, { allTurns, query }: ShownTranscript) {
  const definitions = useQuery(definitionTestsOptions(run.experimentId, run.experimentFingerprint))
  const mention = useMemo(() => {
    const names = namesOf(test, definitionOf(test.testName, definitions.data ?? []))
    return lastMention(allTurns, names)
  }, [test, definitions.data, allTurns])
  return {
    mention,
    searched: allTurns.length,
    isComplete: query.data !== undefined && !query.data.hasMore && !definitions.isPending,
    isLoading: query.isPending || query.isFetching || definitions.isPending,
  }
}
