import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Run } from '#contract/runs.ts'
import { type RunFilters, changedRunsOptions } from '#src/api/runs.ts'
import type { StableRows } from './stable-rows.ts'

const nothingMoved: ReadonlyMap<string, Run> = new Map()

/**
 * The new values of rows that a status tab still shows although they no longer match. The list no longer returns them;
 * a query for runs changed since then does.
 */
export function useMovedRuns(filters: RunFilters, held: StableRows | null): ReadonlyMap<string, Run> {
  const movedIds = held?.movedIds ?? new Set()
  const firstMove = held?.rows.filter(({ id }) => movedIds.has(id)).map(({ statusUpdatedAt }) => statusUpdatedAt)
  const since = firstMove?.toSorted()[0] ?? ''
  const { data } = useQuery({
    ...changedRunsOptions({ ...filters, status: undefined, sort: undefined, since }, movedIds.size),
    enabled: movedIds.size > 0,
    placeholderData: keepPreviousData,
  })
  return useMemo(
    () => (data && movedIds.size > 0 ? new Map(data.runs.map((run) => [run.id, run])) : nothingMoved),
    [data, movedIds.size],
  )
}
