import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { TurnKind } from '#contract/runs.ts'
import { transcriptOptions } from '#src/api/transcripts.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { toReadableTurns } from './readable-turns.ts'
import { type TurnRole, filterTurns, turnRoles } from './transcript-view.ts'

/** The conversation as the URL asks for it: roles, kinds, with or without reasoning. */
export function useTranscript(runId: string, liveness: { isLive: boolean; runSeenAt: number }) {
  const url = useQueryState()
  const roles = url.all('role').filter((role): role is TurnRole => turnRoles.some((known) => known === role))
  const kinds = url.all('kind').filter((kind): kind is TurnKind => TurnKind.safeParse(kind).success)
  const reasoning = url.one('reasoning') === '1'
  const query = useQuery(transcriptOptions(runId, { reasoning, ...liveness }))
  const loaded = query.data?.turns
  const [roleKey, kindKey] = [roles.join(), kinds.join()]
  const turns = useMemo(
    () =>
      filterTurns(toReadableTurns(loaded ?? []), {
        roles: roleKey.split(',').filter(Boolean) as TurnRole[],
        kinds: kindKey.split(',').filter(Boolean) as TurnKind[],
      }),
    [loaded, roleKey, kindKey],
  )
  return { query, turns, roles, kinds, reasoning, isLive: liveness.isLive }
}
export type ShownTranscript = ReturnType<typeof useTranscript>
