import { Skeleton, Table } from '@mantine/core'
import { lazy, Suspense } from 'react'

import { columnFormats } from '#src/charts/result/values.ts'
import { count, counted } from '#src/format/numbers.ts'
import mutedText from '#src/ui/muted-text.module.css'
import type { FigureContent } from './figure-content.ts'
import classes from './InsightFigure.module.css'

/** Chart code loads only if a report cites a chart. */
const ResultChart = lazy(async () => ({ default: (await import('#src/charts/result/ResultChart.tsx')).ResultChart }))

/** A report shows few rows, because nobody searches in it. */
const shownRows = 20

/** The chart of an insight, or a small table. Both appear in print and in exported HTML. */
export function FigureBody({ content }: { content: FigureContent }) {
  const { columns, rows, rowCount, presentation, runs, answer } = content
  const isChart = presentation !== undefined && presentation.kind !== 'table'
  const shown = isChart ? rows : rows.slice(0, shownRows)
  const formats = isChart ? [] : columnFormats({ columns, rows: shown })
  return (
    <>
      {answer && <p className={classes.answer}>{answer}</p>}
      {isChart ? (
        <Suspense fallback={<Skeleton height={240} />}>
          <ResultChart table={content} presentation={presentation} />
        </Suspense>
      ) : rows.length === 0 ? (
        <p className={mutedText.smallNote}>No rows.</p>
      ) : (
        <div className={classes.table}>
          <Table
            data={{
              head: columns.map(({ name }) => name),
              body: shown.map((row) => formats.map((show, place) => show(row[place]))),
            }}
          />
        </div>
      )}
      <p className={mutedText.smallNote}>
        {shown.length < rowCount ? `${count(shown.length)} of ${counted(rowCount, 'row')}` : counted(rowCount, 'row')}
        {runs !== undefined && ` · ${counted(runs, 'run')}`}
      </p>
    </>
  )
}
