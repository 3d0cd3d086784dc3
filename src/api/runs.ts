import { type QueryClient, queryOptions } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import { isTerminal, runStatuses } from '#contract/run-status.ts'
import { estimateRuns, submitRuns } from '#contract/run-submission.ts'
import { type RunDetail, type RunList, type RunRequest, cancelRuns, getRun, listRuns } from '#contract/runs.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { infiniteListOptions, type Pages } from './infinite-list.ts'
import { mergeRuns, type RunPage } from './merge-runs.ts'
import { pollWhileUnfinished, requestPollMs } from './polling.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

export type RunFilters = Omit<CallInput<typeof listRuns>, 'limit' | 'pageToken'>
export type Submission = CallInput<typeof submitRuns>

const pageSize = 200

/** The most runs of one request that are read at once. Its grid and its table share them, so a page polls one list. */
export const requestPageSize = 2000

/** The list, page after page; while something in it is unfinished, the pages loaded so far are polled. */
export const runListOptions = (filters: RunFilters, limit = filters.runRequestId ? requestPageSize : pageSize) =>
  infiniteListOptions({
    queryKey: [...endpointKey(listRuns, { ...filters, limit }), 'pages'],
    queryFn: async ({ client, queryKey, pageParam, signal }) => {
      // Of a page that is known, only what changed since is asked for.
      const known = knownPage(client.getQueryData<Pages<RunPage>>(queryKey), pageParam)
      const news = await call(listRuns, { ...filters, limit, pageToken: pageParam, changedSince: known?.stamp }, signal)
      if (filters.runRequestId) showCounts(client, filters, news.statusCounts)
      return known ? mergeRuns(known, news) : news
    },
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: runsOf,
    refetchInterval: pollWhileUnfinished(({ pages }: Pages<RunPage>) => newestUnfinished(pages)),
  })

const runsOf = ({ runs }: RunPage) => runs

const knownPage = (known: Pages<RunPage> | undefined, pageParam: string | undefined) =>
  known?.pages[known.pageParams.indexOf(pageParam)]

/** Runs whose status changed since a moment; `generation` asks again when more have. */
export const changedRunsOptions = (filters: RunFilters & { since: string }, generation: number) =>
  queryOptions({
    queryKey: [...endpointKey(listRuns, { ...filters, limit: 1000 }), generation],
    queryFn: ({ signal }) => call(listRuns, { ...filters, limit: 1000 }, signal),
    refetchInterval: pollWhileUnfinished((list: RunList) => newestUnfinished([list])),
  })

/** A status tab may show finished runs only while others, which it counts, are still to join them. */
function newestUnfinished(pages: readonly RunList[]) {
  const runs = pages.flatMap(runsOf)
  const unfinished = runs.filter(({ status }) => !isTerminal(status))
  if (unfinished.length > 0) return latest(unfinished.map(({ createdAt }) => createdAt))
  const { statusCounts } = pages[0] ?? {}
  const isMoving = statusCounts && runStatuses.some((status) => !isTerminal(status) && statusCounts[status] > 0)
  return isMoving ? latest(runs.map(({ statusUpdatedAt }) => statusUpdatedAt)) : null
}

const latest = (times: readonly string[]) => times.reduce((a, b) => (a > b ? a : b), '') || null

/** The newest completed runs of an experiment, which tell what its variants cost. */
export const costHistoryOptions = (experimentId: string) => ({
  ...endpointOptions(listRuns, { experimentId, status: ['completed'], limit: 1000 }),
  staleTime: 60_000,
})

/** What the platform would hold for a submission, to the micro, were it sent now. */
export const runEstimateOptions = (submission: Submission) => endpointOptions(estimateRuns, submission)

/** The list of a request's runs is polled more often than the request: its counts appear there at once. */
function showCounts(
  client: QueryClient,
  { runRequestId = '', ...others }: RunFilters,
  counts: RunList['statusCounts'],
) {
  const isWholeRequest = Object.entries(others).every(([name, value]) => name === 'status' || value === undefined)
  const queryKey = endpointKey(getRun, { id: runRequestId })
  const state = client.getQueryState<RunRequest>(queryKey)
  if (!isWholeRequest || !counts || !state?.data || !hasMoved(state.data, counts)) return
  // The time of the request's own poll stays: a newer one would start its timer again with every change.
  client.setQueryData<RunRequest>(queryKey, { ...state.data, statusCounts: counts }, { updatedAt: state.dataUpdatedAt })
  // Only the request itself has the guidance.
  if (!isUnfinished(counts)) void client.invalidateQueries({ queryKey })
}

export const requestOptions = (id: string) =>
  queryOptions({
    queryKey: endpointKey(getRun, { id }),
    queryFn: async ({ client, queryKey, signal }) => {
      const { runRequest } = await call(getRun, { id }, signal)
      if (!runRequest) throw new ApiError('not_found', `There is no run request ${id}`, { status: 404 })
      // The lists beside the counts must not tell another story until their own next poll.
      const known = client.getQueryData<RunRequest>(queryKey)
      if (known && hasMoved(known, runRequest.statusCounts))
        void client.invalidateQueries({ queryKey: ['runs', 'list'] })
      return runRequest
    },
    refetchInterval: pollWhileUnfinished(
      ({ statusCounts, createdAt }: RunRequest) => (isUnfinished(statusCounts) ? createdAt : null),
      requestPollMs,
    ),
  })

type Counts = RunRequest['statusCounts']

const isUnfinished = ({ queued, waiting_for_ci: waiting, running }: Counts) => queued + waiting + running > 0

const hasMoved = (before: RunRequest, after: Counts) =>
  runStatuses.some((status) => before.statusCounts[status] !== after[status])

export const runOptions = (id: string) =>
  queryOptions({
    queryKey: endpointKey(getRun, { id }),
    queryFn: async ({ signal }) => {
      const { run } = await call(getRun, { id }, signal)
      if (!run) throw new ApiError('not_found', `There is no run ${id}`, { status: 404 })
      return run
    },
    refetchInterval: pollWhileUnfinished(({ status, createdAt, startedAt }: RunDetail) =>
      isTerminal(status) ? null : (startedAt ?? createdAt),
    ),
  })

export async function submit(submission: Submission) {
  const receipt = await call(submitRuns, submission)
  await invalidateRuns()
  return receipt
}

/** Cancels the runs named, or every unfinished run of the request. */
export async function cancel(requestId: string, runUuids?: readonly string[]) {
  const receipt = await call(cancelRuns, { id: requestId, runIds: runUuids && [...runUuids] })
  await invalidateRuns()
  return receipt
}

/** Runs changed, and with them what experiments say about their runs. */
const invalidateRuns = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['runs'] }),
    queryClient.invalidateQueries({ queryKey: ['experiments'] }),
  ])
