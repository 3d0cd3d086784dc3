import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { TurnKind } from '#contract/transcripts.ts'
import { transcriptOptions } from '#src/api/transcripts.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { pairCalls } from './call-pairs.ts'
import { toReadableTurns } from './readable-turns.ts'
import { readTurnFilter } from './read-turn-filter.ts'
import { type TurnRole, filterTurns } from './transcript-view.ts'

/** The transcript with the URL's filters for roles, kinds and reasoning. */
export function useTranscript(runId: string, liveness: { isLive: boolean; runSeenAt: number }) {
  const url = useQueryState()
  const { roles, kinds, reasoning } = readTurnFilter(url)
  const query = useQuery(transcriptOptions(runId, { reasoning, ...liveness }))
  const loaded = query.data?.turns
  const [roleKey, kindKey] = [roles.join(), kinds.join()]
  const allTurns = useMemo(() => toReadableTurns(loaded ?? []), [loaded])
  const pairs = useMemo(() => pairCalls(allTurns), [allTurns])
  const turns = useMemo(
    () =>
      filterTurns(allTurns, {
        roles: roleKey.split(',').filter(Boolean) as TurnRole[],
        kinds: kindKey.split(',').filter(Boolean) as TurnKind[],
      }),
    [allTurns, roleKey, kindKey],
  )
  return { runId, query, turns, allTurns, pairs, reasoning, isLive: liveness.isLive }
}
export type TranscriptState = ReturnType<typeof useTranscript>
