import { Skeleton } from '@mantine/core'

import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { ResultView } from '#src/features/insights/result/ResultView.tsx'
import { presentationQuery, requestOf } from './query-state.ts'
import { useQueryResult } from './use-query-result.ts'
import { useQueryUrl } from './use-query-url.ts'

/** The result of the query in the URL, for a report. */
export function QueryFigure() {
  const { state, set } = useQueryUrl()
  const request = requestOf(state)
  const { data, error, again } = useQueryResult(request)
  if (!request) return <p role="note">This query has no SQL or no scope.</p>
  if (error) return <ErrorNotice title="The query failed" error={error} onRetry={again} />
  if (!data) return <Skeleton height={160} />
  return (
    <ResultView
      table={data}
      name="query"
      presentation={state.presentation}
      onPresentation={(presentation) => set(presentationQuery(presentation))}
    />
  )
}
