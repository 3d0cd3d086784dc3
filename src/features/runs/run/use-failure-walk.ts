import { usePrefetchQuery } from '@tanstack/react-query'
import { type Location, matchPath, useNavigate, useNavigation } from 'react-router'

import { runOptions } from '#src/api/runs.ts'
import { testListOptions } from '#src/api/tests.ts'
import { paths } from '#src/paths.ts'
import type { Focus } from '#src/url/focus-state.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { type Failure, type FailurePosition, neighborFailure, failureIndex } from './failure-walk.ts'
import type { RequestTests } from './use-request-tests.ts'

const settled = { isLive: false, runSeenAt: 0 }

/** Steps from failure to failure, within a run and across the runs of its request. The URL contains the position. */
export function useFailureWalk({ failures, runIds }: RequestTests, place: FailurePosition) {
  const url = useQueryState()
  const navigate = useNavigate()
  const { location: boundFor } = useNavigation()
  const ahead = neighborFailure(failures, runIds, place, 1)
  // Preloads the run of the next step.
  usePrefetchQuery(runOptions(ahead?.runId ?? place.runId))
  usePrefetchQuery(testListOptions(ahead?.runId ?? place.runId, settled))

  const go = ({ runId, testName }: Failure) => {
    if (runId === place.runId) return url.set({ test: testName, turn: null, pane: null }, 'test')
    const view = {
      role: url.all('role'),
      kind: url.all('kind'),
      reasoning: url.one('reasoning'),
      from: url.one('from'),
    }
    const state: { focus: Focus } = { focus: 'test' }
    return void navigate(paths.run(runId, { test: testName, ...view, outline: url.one('outline') }), { state })
  }
  const walk = (step: 1 | -1) => {
    // Keys can be pressed faster than pages load, so a step starts at the pending destination.
    const from = (boundFor && readPlace(boundFor)) ?? place
    const next = neighborFailure(failures, runIds, from, step)
    if (next) go(next)
    return next !== null
  }
  return { walk, number: failureIndex(failures, place) + 1, total: failures.length }
}

function readPlace({ pathname, search }: Location): FailurePosition | null {
  const runId = matchPath('/runs/:id', pathname)?.params.id
  return runId === undefined ? null : { runId, testName: new URLSearchParams(search).get('test') }
}
