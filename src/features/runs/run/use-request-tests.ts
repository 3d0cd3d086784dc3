import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { isTerminal } from '#contract/run-status.ts'
import type { Run } from '#contract/runs.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { type TestOutcome, requestTestsOptions } from '#src/api/request-tests.ts'
import { requestOptions, runListOptions } from '#src/api/runs.ts'
import { listFailures, withRun, withTestsOf } from './failure-walk.ts'
import { toRequestGrid } from '#src/features/runs/request/request-grid.ts'

/** A request with more runs than this has no strip of squares. */
const maxRuns = 2000
const none: never[] = []

/**
 * The runs of a run's request in order, with the outcomes of all their tests. Until those have loaded, only the run's
 * own.
 */
export function useRequestTests(run: Pick<Run, 'id' | 'runRequestId'>, runTests: readonly TestOutcome[] = none) {
  const requestId = run.runRequestId
  const request = useQuery(requestOptions(requestId))
  const list = useInfiniteList(runListOptions({ runRequestId: requestId }, maxRuns))
  const loaded = list.firstPage?.runs ?? none
  const isLive = loaded.some(({ status }) => !isTerminal(status))
  const outcomes = useQuery(requestTestsOptions(requestId, { isLive, runsSeenAt: list.query.dataUpdatedAt }))
  const { variantIds, repeat, runCount } = request.data ?? { variantIds: none, repeat: 0, runCount: 0 }
  const groups = useMemo(
    () =>
      toRequestGrid(variantIds, repeat, loaded).map(({ variantId, runs }) => ({
        variantId,
        runs: runs.filter((run): run is Run => run !== undefined),
      })),
    [variantIds, repeat, loaded],
  )
  const isLoaded = outcomes.data !== undefined && groups.length > 0
  const tests = useMemo(
    () => withTestsOf(run.id, runTests, outcomes.data?.tests ?? none),
    [run.id, runTests, outcomes.data],
  )
  const runIds = useMemo(
    () => withRun(run.id, isLoaded ? groups.flatMap(({ runs }) => runs.map(({ id }) => id)) : none),
    [isLoaded, groups, run.id],
  )
  const failures = useMemo(() => listFailures(runIds, tests), [runIds, tests])
  return {
    groups,
    runIds,
    tests,
    failures,
    isLoaded,
    /** True if the request has more runs or tests than the page loads. */
    isCapped: (outcomes.data?.isCapped ?? false) || runCount > maxRuns,
    error: request.error ?? list.error ?? outcomes.error,
  }
}
export type RequestTests = ReturnType<typeof useRequestTests>

/** The part that shows one test in several runs. */
export type TestsOfRuns = Pick<RequestTests, 'groups' | 'isLoaded' | 'isCapped' | 'error'> & {
  tests: readonly Pick<TestOutcome, 'runId' | 'testName' | 'outcome'>[]
}
