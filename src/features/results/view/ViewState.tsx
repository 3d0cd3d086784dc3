import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, use } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import type { LiveResults } from '#src/api/live-results.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { FigureContext } from '#src/ui/FigureContext.ts'
import { PendingRuns } from '#src/ui/PendingRuns.tsx'
import { WithTableTools } from '#src/ui/ToolsPlace.tsx'
import type { ResultsState } from './results-parameters.ts'
import classes from './ResultsTab.module.css'

/** The props of every view of the results. */
export type ViewProps = LiveResults & { experiment: Experiment; state: ResultsState }

export type PaneProps = Pick<ViewProps, 'experiment' | 'state'>

/** The number of finished runs that are missing from a chart's data. */
type Pending = { pendingRuns: number }

type Props<Data> = { label: string; query: UseQueryResult<Data>; children: (data: Data) => ReactNode }

/** Shows a view while it loads, after a failure, dimmed while it changes, or complete. */
export function ViewState<Data extends Pending>({ label, query, children }: Props<Data>) {
  const { data, error, refetch, isPlaceholderData } = query
  const isPage = use(FigureContext) === 'page'
  return (
    <section
      className={classes.main}
      // A report has the same view in several figures, which have names of their own.
      aria-label={isPage ? label : undefined}
      aria-busy={isPlaceholderData || (!data && !error)}
    >
      {error ? (
        <ErrorNotice title="The results could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={360} />
      ) : (
        <>
          <div className={classes.pending}>
            <PendingRuns count={data.pendingRuns} refresh={refetch} />
          </div>
          <WithTableTools>{children(data)}</WithTableTools>
        </>
      )}
    </section>
  )
}
