import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import { isTerminal, runStatuses } from '#contract/run-status.ts'
import { estimateRuns, submitRuns } from '#contract/run-submission.ts'
import { type RunList, listRuns } from '#contract/run-list.ts'
import { type Run, type RunDetail, type RunRequest, cancelRuns, getRun } from '#contract/runs.ts'
import { type Decision, getDecision } from '#contract/until-decided.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { callOnce } from './idempotency.ts'
import { infiniteListOptions, type Pages } from './infinite-list.ts'
import { mergeRuns, type RunPage } from './merge-runs.ts'
import { pollWhileUnfinished, requestPollMs } from './polling.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

export type RunFilters = Omit<CallInput<typeof listRuns>, 'countSolved' | 'limit' | 'pageToken'>
export type Submission = CallInput<typeof submitRuns>

const pageSize = 200

/** The maximum number of runs of one request to load. The grid and the table share them, so the page polls one list. */
export const requestPageSize = 2000

/** The list, page by page. Polls the loaded pages while a run in them is unfinished. */
export const runListOptions = (filters: RunFilters, limit = filters.runRequestId ? requestPageSize : pageSize) =>
  infiniteListOptions({
    queryKey: [...endpointKey(listRuns, { ...filters, limit }), 'pages'],
    queryFn: async ({ client, queryKey, pageParam, signal }) => {
      // For a cached page, only changes are requested.
      const known = knownPage(client.getQueryData<Pages<RunPage>>(queryKey), pageParam)
      const news = await call(listRuns, { ...filters, limit, pageToken: pageParam, changedSince: known?.stamp }, signal)
      if (filters.runRequestId) await showRequest(client, filters, news.statusCounts, signal)
      return known ? mergeRuns(known, news) : news
    },
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: runsOf,
    refetchInterval: pollWhileUnfinished(({ pages }: Pages<RunPage>) => newestUnfinished(pages)),
  })

const solvedPollMs = 30_000

/**
 * How many of all runs that match are solved. Asked apart from the list, which does not wait for it, and less often: it
 * reads every run.
 */
export const solvedRunsOptions = ({ sort: _sort, ...filters }: RunFilters, isLive: boolean) => {
  const input = { ...filters, countSolved: true, limit: 1 }
  return queryOptions({
    // Once more when the last run has ended.
    queryKey: [...endpointKey(listRuns, input), isLive],
    queryFn: async ({ signal }) => (await call(listRuns, input, signal)).solved ?? null,
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? solvedPollMs : false,
  })
}

const runsOf = ({ runs }: RunPage) => runs

const knownPage = (known: Pages<RunPage> | undefined, pageParam: string | undefined) =>
  known?.pages[known.pageParams.indexOf(pageParam)]

/** Runs whose status has changed since a given time; a new `generation` reloads them. */
export const changedRunsOptions = (filters: RunFilters & { since: string }, generation: number) =>
  queryOptions({
    queryKey: [...endpointKey(listRuns, { ...filters, limit: 1000 }), generation],
    queryFn: ({ signal }) => call(listRuns, { ...filters, limit: 1000 }, signal),
    refetchInterval: pollWhileUnfinished((list: RunList) => newestUnfinished([list])),
  })

/** A tab of finished runs still has to poll while unfinished runs may join it. */
function newestUnfinished(pages: readonly RunList[]) {
  const runs = pages.flatMap(runsOf)
  const unfinished = runs.filter(({ status }) => !isTerminal(status))
  if (unfinished.length > 0) return latest(unfinished.map(({ createdAt }) => createdAt))
  const { statusCounts } = pages[0] ?? {}
  const isMoving = statusCounts && runStatuses.some((status) => !isTerminal(status) && statusCounts[status] > 0)
  return isMoving ? latest(runs.map(({ statusUpdatedAt }) => statusUpdatedAt)) : null
}

const latest = (times: readonly string[]) => times.reduce((a, b) => (a > b ? a : b), '') || null

/** The newest completed runs of an experiment, used as the cost history of its variants. */
export const costHistoryOptions = (experimentId: string) => ({
  ...endpointOptions(listRuns, { experimentId, status: ['completed'], limit: 1000 }),
  staleTime: 60_000,
})

/** The newest runs of a run's variant and version, whichever requests they belong to. */
export const variantRunsOptions = (run: Pick<Run, 'experimentId' | 'experimentFingerprint' | 'variantId'>) => ({
  ...endpointOptions(listRuns, {
    experimentId: run.experimentId,
    versionScope: run.experimentFingerprint,
    variant: [run.variantId],
    limit: pageSize,
  }),
  staleTime: 60_000,
})

/** The most passing runs whose tool calls are compared with those of a failing run. */
export const comparedPassingRuns = 12

/** The newest runs of a run's prompt and version that solved it. */
export const solvedRunsOfPromptOptions = (run: Pick<Run, 'experimentId' | 'experimentFingerprint' | 'prompt'>) => ({
  ...endpointOptions(listRuns, {
    experimentId: run.experimentId,
    versionScope: run.experimentFingerprint,
    prompt: [run.prompt],
    result: ['solved'],
    limit: comparedPassingRuns,
  }),
  staleTime: 60_000,
})

/** The exact amount the platform would reserve if the submission were sent now. */
export const runEstimateOptions = (submission: Submission) => endpointOptions(estimateRuns, submission)

/**
 * The list of a request's runs is polled more often than the request. When its counts have moved, the request is read too,
 * and shown at the same time: counts of the list beside results of the request would contradict each other.
 */
async function showRequest(
  client: QueryClient,
  { runRequestId = '', ...others }: RunFilters,
  counts: RunList['statusCounts'],
  signal: AbortSignal,
) {
  const isWholeRequest = Object.entries(others).every(
    ([name, value]) => name === 'status' || name === 'sort' || value === undefined,
  )
  const queryKey = endpointKey(getRun, { id: runRequestId })
  const timeOf = () => client.getQueryState(queryKey)?.dataUpdatedAt
  const updatedAt = timeOf()
  const known = client.getQueryData<RunRequest>(queryKey)
  if (!isWholeRequest || !known || !hasMoved(known, counts)) return
  // Without an answer the request keeps what it had, and its own poll reports what is wrong.
  const { runRequest } = await call(getRun, { id: runRequestId }, signal).catch(() => ({ runRequest: undefined }))
  if (!runRequest || updatedAt === undefined || updatedAt !== timeOf()) return
  // Keeps the time of the request's own poll, because a newer time would restart its timer with every change.
  client.setQueryData<RunRequest>(queryKey, runRequest, { updatedAt })
}

/** Reloads the charts of an experiment that the page shows, which would otherwise stay up to ten seconds behind the counts beside them. */
const reloadCharts = (client: QueryClient, experimentId: string) =>
  client.invalidateQueries({
    refetchType: 'active',
    predicate: ({ queryKey: [noun, , input] }) =>
      noun === 'insights' && JSON.stringify(input ?? null).includes(`"chart:${experimentId}:`),
  })

export const requestOptions = (id: string) =>
  queryOptions({
    queryKey: endpointKey(getRun, { id }),
    queryFn: async ({ client, queryKey, signal }) => {
      const { runRequest } = await call(getRun, { id }, signal)
      if (!runRequest) throw new ApiError('not_found', `Request ${id} was not found`, { status: 404 })
      // Keeps the lists consistent with the counts until their next poll.
      const known = client.getQueryData<RunRequest>(queryKey)
      if (known && hasMoved(known, runRequest.statusCounts)) {
        void client.invalidateQueries({ queryKey: ['runs', 'list'] })
        void reloadCharts(client, runRequest.experimentId)
      }
      return runRequest
    },
    refetchInterval: pollWhileUnfinished(
      ({ statusCounts, createdAt }: RunRequest) => (isUnfinished(statusCounts) ? createdAt : null),
      requestPollMs,
    ),
  })

/** Polls until the verdict is known, which is a moment after the last run has ended. */
export const decisionOptions = (id: string, createdAt: string) =>
  queryOptions({
    ...endpointOptions(getDecision, { id }),
    refetchInterval: pollWhileUnfinished(
      ({ verdict, endedRuns, design }: Decision) => (verdict && endedRuns === design.runCount ? null : createdAt),
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
      if (!run) throw new ApiError('not_found', `Run ${id} was not found`, { status: 404 })
      return run
    },
    refetchInterval: pollWhileUnfinished(({ status, createdAt, startedAt }: RunDetail) =>
      isTerminal(status) ? null : (startedAt ?? createdAt),
    ),
  })

/** Returns a function that submits runs, and starts the same ones only once, even if a response was lost. */
export function runSubmitter() {
  const create = callOnce(submitRuns)
  return async (submission: Submission) => {
    const receipt = await create(submission)
    // Not awaited: the new request opens meanwhile, and reads its own data.
    void invalidateRuns()
    return receipt
  }
}

/** Cancels the given runs, or every unfinished run of the request. */
export async function cancel(requestId: string, runUuids?: readonly string[]) {
  const receipt = await call(cancelRuns, { id: requestId, runIds: runUuids && [...runUuids] })
  await invalidateRuns()
  return receipt
}

/** Changed runs also change the run facts of experiments. */
const invalidateRuns = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['runs'] }),
    queryClient.invalidateQueries({ queryKey: ['experiments'] }),
  ])
