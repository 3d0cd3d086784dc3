import { Button, Menu, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, Suspense, lazy, use, useMemo, useState } from 'react'

import type { Presentation } from '#contract/insight-fields.ts'
import type { ResultTable } from '#contract/queries.ts'
import { suggestChart } from '#src/charts/result/presentation.ts'
import { columnFormats } from '#src/charts/result/values.ts'
import { ClipButton } from '#src/shared/clip/ClipButton.tsx'
import { tableText } from '#src/shared/clip/clip-quote.ts'
import { seconds } from '#src/format/durations.ts'
import { fileName } from '#src/format/file-name.ts'
import { bytes, count, counted } from '#src/format/numbers.ts'
import { ResultBar } from '#src/ui/ResultBar.tsx'
import { FigureContext } from '#src/ui/FigureContext.ts'
import { LinkContext } from '#src/ui/LinkContext.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { CopyTable } from '#src/ui/table/CopyTable.tsx'
import { downloadText, toCsv } from '#src/ui/table/csv.ts'
import { runHrefOfRow } from './cell-links.ts'
import { ChartControls } from './ChartControls.tsx'
import { type GridColumn, gridColumns, toJson } from './result-columns.ts'
import { ResultGrid } from './ResultGrid.tsx'
import classes from './ResultView.module.css'

/** Chart code loads when a chart is first shown. */
const ResultChart = lazy(async () => ({ default: (await import('#src/charts/result/ResultChart.tsx')).ResultChart }))

type Props = {
  table: ResultTable
  /** The name of downloaded files. */
  name: string
  /** The chart settings; undefined chooses them from the columns. */
  presentation: Presentation | undefined
  onPresentation: (presentation: Presentation) => void
  /** More facts next to the size of the result. */
  facts?: ReactNode
  /** More actions on the result. */
  actions?: ReactNode
}

/** A result as a grid or a chart, with its size and downloads. */
export function ResultView({ table, name, presentation, onPresentation, facts, actions }: Props) {
  const { open } = use(LinkContext)
  const isPage = use(FigureContext) === 'page'
  const columns = useMemo(() => gridColumns(table), [table])
  const suggested = useMemo(() => suggestChart(table), [table])
  const shown = presentation ?? { kind: 'table', y: [] }
  const isChart = shown.kind !== 'table'
  // Switching to the table and back keeps the chart's settings.
  const [left, setLeft] = useState<Presentation | null>(null)
  const showAs = (as: string) => {
    if (as === 'table') setLeft(shown)
    onPresentation(as === 'table' ? { ...shown, kind: 'table' } : (left ?? suggested ?? { kind: 'bar', y: [] }))
  }
  const openRun = (row: number) => {
    const href = runHrefOfRow(table.rows[row] ?? [])
    if (href) open(href)
  }
  const isAboutRuns = table.rows[0] !== undefined && runHrefOfRow(table.rows[0]) !== null
  return (
    <section aria-label={isPage ? 'Result' : undefined} className={classes.result}>
      <ResultBar
        extent={
          <>
            {extentOf(table)} {facts}
          </>
        }
      >
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={isChart ? 'chart' : 'table'}
          onChange={showAs}
          data={[
            { value: 'table', label: 'Table' },
            { value: 'chart', label: 'Chart' },
          ]}
        />
        <ClipButton
          clip={() => ({
            title: name,
            quote: quoteTable(table),
            facts: [counted(table.rows.length, 'row')],
            hasFigure: true,
          })}
        />
        <CopyTable columns={columns} rows={table.rows} />
        <Downloads table={table} columns={columns} name={name} />
        {actions}
      </ResultBar>
      <PageOnly andForm>{isChart && <ChartControls table={table} value={shown} onChange={onPresentation} />}</PageOnly>
      {isChart ? (
        <Suspense>
          <ResultChart table={table} presentation={shown} {...(isAboutRuns && { onRow: openRun })} />
        </Suspense>
      ) : table.rows.length === 0 ? (
        <p className={classes.none}>No rows.</p>
      ) : (
        <ResultGrid table={table} label={`Rows of ${name}`} />
      )}
    </section>
  )
}

function quoteTable({ columns, rows }: ResultTable) {
  const quoted = rows.slice(0, 40)
  const formats = columnFormats({ columns, rows: quoted })
  return tableText(
    columns.map(({ name }) => name),
    quoted.map((row) => formats.map((show, place) => show(row[place]))),
    rows.length,
  )
}

function extentOf({ rows, truncated, statistics }: ResultTable) {
  const extent = truncated ? `First ${count(rows.length)} rows (more available)` : counted(rows.length, 'row')
  if (!statistics) return extent
  const { elapsedSeconds, rowsRead, bytesRead } = statistics
  return `${extent} · ${seconds(elapsedSeconds)}, ${counted(rowsRead, 'row')} and ${bytes(bytesRead)} read`
}

type DownloadProps = { table: ResultTable; columns: readonly GridColumn[]; name: string }

function Downloads({ table, columns, name }: DownloadProps) {
  const file = fileName(name)
  return (
    <Menu position="bottom-end" shadow="sm">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => downloadText(`${file}.csv`, toCsv(columns, table.rows), 'text/csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => downloadText(`${file}.json`, toJson(table), 'application/json')}>JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
