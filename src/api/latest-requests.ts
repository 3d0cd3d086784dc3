import { useQueries } from '@tanstack/react-query'

import type { RunRequest } from '#contract/runs.ts'
import { useInfiniteList } from './infinite-list.ts'
import { type RunFilters, requestOptions, runListOptions } from './runs.ts'

type LatestRequests = { requests: RunRequest[] | undefined; error: Error | null; retry: () => void }

/**
 * The latest requests of these runs, each polled until its own runs are finished. The API lists runs, so these are the
 * requests of the newest runs.
 */
export function useLatestRequests(filters: RunFilters, most: number): LatestRequests {
  const runs = useInfiniteList(runListOptions(filters))
  const newest = runs.firstPage?.runs ?? []
  const ids = [...new Set(newest.map(({ runRequestId }) => runRequestId))].slice(0, most)
  const requests = useQueries({ queries: ids.map((id) => requestOptions(id)) })
  const isPending = runs.query.isPending || requests.some((request) => request.isPending)
  return {
    requests: isPending ? undefined : requests.flatMap(({ data }) => data ?? []),
    error: runs.error ?? requests.find(({ error }) => error)?.error ?? null,
    retry: runs.retry,
  }
}
