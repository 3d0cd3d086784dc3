import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { DefinitionTest } from '#contract/task-fields.ts'
import type { RunDetail } from '#contract/runs.ts'
import type { CapturedTest } from '#contract/tests.ts'
import type { Turn } from '#contract/transcripts.ts'
import { definitionTestsOptions } from '#src/api/definition-tests.ts'
import { toReadableTurns } from '#src/shared/transcript/readable-turns.ts'
import type { TranscriptState } from '#src/shared/transcript/use-transcript.ts'
import { definitionOf, lastMention, namesOf } from './test-mentions.ts'

/** The last turn that mentions a test or its files, in the loaded part of the transcript. */
export function useMention(run: RunDetail, test: CapturedTest, { allTurns, query }: TranscriptState) {
  const definitions = useQuery(definitionTestsOptions(run.experimentId, run.experimentFingerprint, run.prompt))
  const isReady = query.data !== undefined && !definitions.isPending
  const mention = useMemo(() => mentionOf(test, definitions.data, allTurns), [test, definitions.data, allTurns])
  /** Waits for pending turns, so that a key pressed early still works. */
  const find = async () => {
    if (isReady) return mention
    const join = { cancelRefetch: false }
    const [{ data }, { data: tests }] = await Promise.all([query.refetch(join), definitions.refetch(join)])
    return mentionOf(test, tests, toReadableTurns(data?.turns ?? []))
  }
  return {
    mention,
    find,
    searched: allTurns.length,
    isComplete: isReady && query.data?.hasMore === false,
    isLoading: !isReady || query.isFetching,
  }
}

const mentionOf = (test: CapturedTest, tests: readonly DefinitionTest[] | undefined, turns: readonly Turn[]) =>
  lastMention(turns, namesOf(test, definitionOf(test.testName, tests ?? [])))
