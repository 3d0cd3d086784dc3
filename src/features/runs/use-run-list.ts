import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import type { Run } from '#contract/runs.ts'
import { type RunFilters, runListOptions } from '#src/api/runs.ts'

/**
 * The rows of a list that never shifts under the cursor: known rows change in place, newer ones wait until they are
 * asked for. A list that was empty shows its first rows at once.
 */
export function useRunList(filters: RunFilters) {
  const query = useInfiniteQuery({ ...runListOptions(filters), placeholderData: keepPreviousData })
  const all = useMemo(() => query.data?.pages.flatMap(({ runs }) => runs), [query.data])
  const key = JSON.stringify(filters)
  const [shown, setShown] = useState<{ key: string; until: string } | null>(null)
  const newest = all?.[0]?.createdAt
  if (newest !== undefined && !query.isPlaceholderData && shown?.key !== key) setShown({ key, until: newest })
  const until = shown?.key === key ? shown.until : null
  const rows = useMemo(() => (until === null ? all : all?.filter(isSubmittedBy(until))), [all, until])
  return {
    ...query,
    rows,
    statusCounts: query.data?.pages[0]?.statusCounts,
    waitingCount: (all?.length ?? 0) - (rows?.length ?? 0),
    showWaiting: () => newest !== undefined && setShown({ key, until: newest }),
  }
}

const isSubmittedBy = (until: string) => (run: Run) => run.createdAt <= until
