import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'

import { experimentOptions } from '#src/api/experiments.ts'
import { heatmapOptions } from '#src/api/insights.ts'
import { queryClient } from '#src/api/query-client.ts'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { CellPane } from './CellPane.tsx'
import { ResultsFilterBar } from './ResultsFilterBar.tsx'
import { readResultsState } from './results-parameters.ts'
import classes from './ResultsTab.module.css'
import { TestsByGroup } from './TestsByGroup.tsx'

/** While runs are still coming in, the chart looks again this often. */
const liveRefreshMs = 10_000

export async function loader({ params: { id = '' }, request }: LoaderFunctionArgs) {
  const { parameters } = readResultsState(new URL(request.url).searchParams)
  void queryClient.prefetchQuery(heatmapOptions(id, parameters))
  await queryClient.ensureQueryData(experimentOptions(id))
  return null
}

/** Tests by group, and the runs behind any cell of it. */
export function ResultsTab() {
  const id = useExperimentId()
  const [search] = useSearchParams()
  const { data: experiment } = useSuspenseQuery(experimentOptions(id))
  const state = readResultsState(search)
  const summary = useQuery({
    ...heatmapOptions(id, state.parameters),
    placeholderData: keepPreviousData,
    refetchInterval: experiment.unfinishedRunCount > 0 ? liveRefreshMs : false,
  })
  return (
    <>
      <ResultsFilterBar experiment={experiment} state={state} />
      <div className={classes.columns}>
        <TestsByGroup experiment={experiment} state={state} summary={summary} />
        {state.cell && (
          <CellPane
            key={`${state.cell.group} ${state.cell.test}`}
            experimentId={id}
            parameters={state.parameters}
            cell={state.cell}
          />
        )}
      </div>
    </>
  )
}
