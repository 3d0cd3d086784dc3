import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { isApiError } from '#src/api/errors.ts'
import { figureOptions } from '#src/api/report-figures.ts'
import { openPinned } from './pinned-client.ts'

/**
 * The data of a pinned figure, and whether the live data differ from it. They are compared when the figure has been
 * drawn, because only its view knows its queries.
 */
export function usePinnedFigure(figureId: string, { isNear, isDrawn }: { isNear: boolean; isDrawn: boolean }) {
  const live = useQueryClient()
  const { data, error, refetch } = useQuery({ ...figureOptions(figureId), enabled: isNear })
  const client = useMemo(() => data && openPinned(data.resultsJson), [data])
  const drift = useQuery({
    queryKey: ['figure-drift', figureId],
    queryFn: async () => {
      if (!client) return 'same'
      try {
        return (await client.hasChanged(live)) ? 'changed' : 'same'
      } catch (failure) {
        if (isApiError(failure, 'not_found') || isApiError(failure, 'permission_denied')) return 'gone'
        throw failure
      }
    },
    enabled: isDrawn && Boolean(client),
    staleTime: 30_000,
  })
  return {
    figure: data?.figure,
    /** Null if the data is unreadable. */
    client,
    error,
    retry: () => void refetch(),
    /** Loads the live data again. */
    refreshLive: async () => client?.refresh(live),
    /** `gone`: the reader has no access to the live data, or what it shows was deleted. */
    drift: drift.data,
  }
}
