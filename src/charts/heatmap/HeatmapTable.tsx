import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'

import { type OutcomeCounts, passRate } from '#contract/outcomes.ts'
import { reveal } from '#src/ui/reveal.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { describeCounts } from '#src/ui/status-marks.ts'
import type { CellPosition, HeatmapLabels } from './heatmap-geometry.ts'
import { type HeatmapMatrix, type HeatmapRow, groupLabel } from './heatmap-matrix.ts'
import { toLabels } from './heatmap-labels.ts'
import { cellText } from './heatmap-palette.ts'
import classes from './HeatmapTable.module.css'

type Props = {
  matrix: HeatmapMatrix
  selected: CellPosition | null
  onSelect: (cell: CellPosition) => void
}

/** The heatmap's cells as an ordinary table of buttons, for screen readers, copying and printing. */
export function HeatmapTable({ matrix, selected, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: matrix.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    overscan: 12,
  })
  const shown = virtualizer.getVirtualItems()
  const labels = useMemo(() => toLabels(matrix), [matrix])
  const before = shown[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    <div ref={scroller} className={classes.scroller}>
      <table className={classes.table} aria-rowcount={matrix.rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">All groups</th>
            {matrix.groups.map(({ group, runs }, column) => (
              <th key={group} scope="col">
                <TruncatedText whole={groupLabel(group)}>{labels.groups[column] ?? ''}</TruncatedText>
                <span className={classes.runs}>{runs === 1 ? '1 run' : `${runs} runs`}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {shown.map(({ index }) => {
            const row = matrix.rows[index]
            return row && <TestRow key={row.test} {...{ row, index, labels, matrix, selected, onSelect }} />
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

const toneOf = (counts: OutcomeCounts) => {
  const rate = passRate(counts)
  return rate === null ? 'skipped' : rate === 1 ? 'passed' : rate === 0 ? 'failed' : 'unresolved'
}

type RowProps = Props & { row: HeatmapRow; index: number; labels: HeatmapLabels }

function TestRow({ row, index, labels, matrix, selected, onSelect }: RowProps) {
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row">
        <TruncatedText whole={row.test}>{labels.tests[index] ?? ''}</TruncatedText>
      </th>
      <td>
        <OutcomeBar counts={row.total} />
      </td>
      {matrix.groups.map(({ group }, column) => {
        const counts = row.cells[column]
        return (
          <td key={group}>
            {counts && (
              <button
                type="button"
                ref={selected?.row === index && selected.column === column ? reveal : undefined}
                className={classes.cell}
                data-tone={toneOf(counts)}
                aria-label={`${row.test}, ${groupLabel(group)}: ${describeCounts(counts)}`}
                aria-pressed={selected?.row === index && selected.column === column}
                onClick={() => onSelect({ row: index, column })}
              >
                {cellText(counts, true)}
              </button>
            )}
          </td>
        )
      })}
    </tr>
  )
}
