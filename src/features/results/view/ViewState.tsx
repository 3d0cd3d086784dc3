import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { PendingRuns } from '#src/ui/PendingRuns.tsx'
import type { ResultsState } from './results-parameters.ts'
import classes from './ResultsTab.module.css'

/** What every view of the results is given. */
export type ViewProps = {
  experiment: Experiment
  state: ResultsState
  /** While runs are still coming in, a view looks again this often. */
  refetchInterval: number | false
}

export type PaneProps = Pick<ViewProps, 'experiment' | 'state'>

/** Of a chart: how many ended runs are missing from its data. */
type Pending = { pendingRuns: number }

type Props<Data> = { label: string; query: UseQueryResult<Data>; children: (data: Data) => ReactNode }

/** A view while its data loads, when it fails, dimmed while it changes, or whole. */
export function ViewState<Data extends Pending>({ label, query, children }: Props<Data>) {
  const { data, error, refetch, isPlaceholderData } = query
  return (
    <section className={classes.main} aria-label={label} aria-busy={isPlaceholderData || (!data && !error)}>
      {error ? (
        <ErrorNotice title="The results could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={360} />
      ) : (
        <>
          <PendingRuns count={data.pendingRuns} refresh={refetch} />
          {children(data)}
        </>
      )}
    </section>
  )
}
