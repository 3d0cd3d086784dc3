import { Skeleton, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { citedInsightOptions } from '#src/api/reports.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { describeDrift, PinnedTable, toPinned } from './pinned-result.ts'
import classes from './reports.module.css'

/** What an insight answers now, or what it answered when it was pinned, with a flag when the two differ. */
export function InsightFigure({ block: { ref, title, pinned } }: { block: InsightBlock }) {
  const { data, error, refetch } = useQuery(citedInsightOptions(ref))
  const live = data ? toPinned(data) : undefined
  const kept = PinnedTable.safeParse(pinned?.value)
  const shown = pinned ? kept.data : live?.value
  const drift = pinned && live && kept.success ? describeDrift(pinned.fingerprint, kept.data, live) : undefined
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <strong>{title ?? data?.insight.heading ?? ref}</strong>
        <span className={classes.detail}>
          {pinned ? (
            <>
              pinned <RelativeTime at={pinned.at} />
            </>
          ) : (
            'live'
          )}
        </span>
        {drift && <span className={classes.drift}>{drift}</span>}
      </figcaption>
      {error && !shown && (
        <ErrorNotice title={`The insight ${ref} could not be shown`} error={error} onRetry={() => void refetch()} />
      )}
      {pinned && !kept.success && <p className={classes.problem}>What was pinned cannot be read.</p>}
      {!shown &&
        !error &&
        !pinned &&
        (data ? <p className={classes.detail}>This chart is shown on its own page.</p> : <Skeleton height={80} />)}
      {shown && <ResultTable table={shown} />}
    </figure>
  )
}

function ResultTable({ table: { columns, rows, rowCount } }: { table: PinnedTable }) {
  return (
    <>
      <Table data={{ head: columns, body: rows.map((row) => row.map(asText)) }} />
      {rowCount > rows.length && <p className={classes.detail}>{`${rows.length} of ${rowCount} rows`}</p>}
    </>
  )
}

const asText = (value: unknown) =>
  value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)
