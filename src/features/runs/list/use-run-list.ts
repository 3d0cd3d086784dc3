import { useMemo, useState } from 'react'

import type { Run } from '#contract/runs.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { type RunFilters, runListOptions } from '#src/api/runs.ts'
import { type StableRows, freshRows, toStableRows } from './stable-rows.ts'
import { useMovedRuns } from './use-moved-runs.ts'

type ShownList = StableRows & { key: string; from: Run[] }

/**
 * The rows of a list that never shifts under the cursor: known rows change in place, rows that no longer match stay,
 * and new ones wait for a refresh.
 */
export function useRunList(filters: RunFilters) {
  const list = useInfiniteList(runListOptions(filters), { keepPrevious: true })
  const { rows: all, query, firstPage, error, retry, more } = list
  const key = JSON.stringify(filters)
  const [shown, setShown] = useState<ShownList | null>(null)
  const isNews = shown?.key !== key || shown.from !== all
  if (all && !query.isPlaceholderData && isNews) {
    setShown({ key, from: all, ...(shown?.key === key ? toStableRows(shown.rows, all) : freshRows(all)) })
  }
  const moved = useMovedRuns(filters, shown?.key === key ? shown : null)
  // Keeps the previous rows while others load, but not after a failure, because they would look like the requested
  // rows.
  const isOutdated = shown?.key !== key && query.isError
  const rows = useMemo(
    () => (isOutdated ? undefined : shown?.rows.map((run) => moved.get(run.id) ?? run)),
    [isOutdated, shown, moved],
  )
  return {
    error,
    retry,
    more,
    rows,
    movedIds: shown?.movedIds,
    statusCounts: firstPage?.statusCounts,
    waitingCount: shown?.waitingCount ?? 0,
    isReordered: shown?.isReordered ?? false,
    refresh: () => all && setShown({ key, from: all, ...freshRows(all) }),
  }
}
