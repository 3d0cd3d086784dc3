import { Skeleton } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'

import { chartOptions } from '#src/api/charts.ts'
import { experimentOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { OpenPane } from './OpenPane.tsx'
import { readResultsState } from '#src/features/results/view/results-parameters.ts'
import { resultsViews } from './results-views.tsx'
import { ResultsFilterBar } from './ResultsFilterBar.tsx'
import classes from '#src/features/results/view/ResultsTab.module.css'
import { ViewTabs } from './ViewTabs.tsx'

const liveRefreshMs = 10_000

export async function loader({ params: { id = '' }, request }: LoaderFunctionArgs) {
  const { parameters, view } = readResultsState(new URL(request.url).searchParams)
  if (view === 'heatmap') void queryClient.prefetchQuery(chartOptions('tests', id, parameters))
  await queryClient.ensureQueryData(experimentOptions(id))
  return null
}

/** One experiment's results: one filter bar over every way to look at them, and the runs behind whatever is chosen. */
export function Component() {
  const id = useExperimentId()
  const [search] = useSearchParams()
  const { data: experiment } = useSuspenseQuery(experimentOptions(id))
  const state = readResultsState(search)
  const { View } = resultsViews[state.view]
  const refetchInterval = experiment.unfinishedRunCount > 0 ? liveRefreshMs : false
  return (
    <>
      <ViewTabs view={state.view} />
      <ResultsFilterBar experiment={experiment} state={state} />
      <div className={classes.columns}>
        <Suspense fallback={<Skeleton height={360} className={classes.main} />}>
          <View experiment={experiment} state={state} refetchInterval={refetchInterval} />
        </Suspense>
        <OpenPane experiment={experiment} state={state} />
      </div>
    </>
  )
}
