import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Run } from '#contract/runs.ts'
import { type RunFilters, changedRunsOptions } from '#src/api/runs.ts'
import type { StableRows } from './stable-rows.ts'

const nothingMoved: ReadonlyMap<string, Run> = new Map()

/**
 * What became of the rows that a status tab still shows though they moved on. The list no longer answers them; those
 * that changed since the list was read do.
 */
export function useMovedRuns(filters: RunFilters, held: StableRows | null): ReadonlyMap<string, Run> {
  const movedIds = held?.movedIds ?? new Set()
  const firstMove = held?.rows.filter(({ id }) => movedIds.has(id)).map(({ statusUpdatedAt }) => statusUpdatedAt)
  const since = firstMove?.toSorted()[0] ?? ''
  const { data } = useQuery({
    ...changedRunsOptions({ ...filters, status: undefined, since }, movedIds.size),
    enabled: movedIds.size > 0,
    placeholderData: keepPreviousData,
  })
  return useMemo(
    () => (data && movedIds.size > 0 ? new Map(data.runs.map((run) => [run.id, run])) : nothingMoved),
    [data, movedIds.size],
  )
}
