import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'

import { pictureOf } from '#src/charts/chart-looks.ts'
import { type CellPosition, moveCell } from '#src/charts/heatmap/heatmap-geometry.ts'
import { shortNames } from '#src/charts/short-names.ts'
import type { HeatmapPlan } from './plan-heatmap.ts'
import classes from './ResultChart.module.css'

type Props = HeatmapPlan & { name: string; onRow?: ((row: number) => void) | undefined }

const letterWidth = 7.2
const rowHeight = 26
const first: CellPosition = { row: 0, column: 0 }
const widestCell = 120
const top = 24

/** The weakest color still differs from an empty cell. */
const strengthOf = (step: number) => 0.6 + 0.9 * step

/** How far a page key moves. */
const pageRows = 10

/** A heatmap of few values, each written into its cell. Arrow keys read a cell, and Enter opens its row. */
export function QueryHeatmap({ name, columns, rows, cells, onRow }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [active, setActive] = useState<CellPosition | null>(null)
  const read = active && cells.find(({ row, column }) => row === active.row && column === active.column)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && read) onRow?.(read.resultRow)
    const counts = { rows: rows.length, columns: columns.length }
    const next = active ? moveCell(active, event.key, pageRows, counts) : moveCell(first, event.key, 0, counts) && first
    if (!next) return
    event.preventDefault()
    setActive(next)
  }
  const keys = { ...pictureOf(name), tabIndex: 0, onKeyDown, onBlur: () => setActive(null) }
  const longest = Math.max(...rows.map(({ length }) => length), 1) * letterWidth + 12
  // Names use the space that the widest cells leave.
  const left = Math.min(longest, Math.max(width * 0.3, width - columns.length * widestCell))
  const cell = Math.max(30, Math.min(widestCell, (width - left) / Math.max(1, columns.length)))
  const letters = Math.floor((cell - 4) / letterWidth)
  const [across, down] = [shortNames(columns, letters), shortNames(rows, Math.floor((left - 12) / letterWidth))]
  const size = { width: Math.max(width, left + columns.length * cell), height: top + rows.length * rowHeight + 8 }
  return (
    <div ref={ref} className={classes.heatmap} data-chart="" data-measuring={width === 0 ? '' : undefined}>
      {width > 0 && (
        <svg
          {...size}
          {...keys}
          viewBox={`0 0 ${size.width} ${size.height}`}
          // A public page makes drawings as narrow as itself, and this one would have letters that nobody can read.
          style={size.width > width ? { minWidth: size.width } : undefined}
        >
          {columns.map((column, place) => (
            <text key={column} x={left + (place + 0.5) * cell} y={12} textAnchor="middle" dominantBaseline="central">
              <title>{column}</title>
              {across[place]}
            </text>
          ))}
          {rows.map((row, place) => (
            <text
              key={row}
              x={left - 8}
              y={top + (place + 0.5) * rowHeight}
              textAnchor="end"
              dominantBaseline="central"
            >
              <title>{row}</title>
              {down[place]}
            </text>
          ))}
          {cells.map((one) => {
            const [x, y] = [left + one.column * cell, top + one.row * rowHeight]
            const text = one.exact.length <= letters ? one.exact : one.short
            return (
              <g key={one.resultRow} onClick={() => onRow?.(one.resultRow)} data-leads={onRow ? '' : undefined}>
                <title>{one.words}</title>
                <rect
                  x={x + 0.5}
                  y={y + 0.5}
                  width={cell - 1}
                  height={rowHeight - 1}
                  className={one === read ? classes.read : undefined}
                  style={{
                    fill: `color-mix(in srgb, var(--series-1) calc(var(--heat-share) * ${strengthOf(one.step)}), var(--surface))`,
                  }}
                />
                {text.length <= letters && (
                  <text x={x + cell / 2} y={y + rowHeight / 2} textAnchor="middle" dominantBaseline="central">
                    {text}
                  </text>
                )}
              </g>
            )
          })}
          {active && !read && (
            <rect
              className={classes.read}
              x={left + active.column * cell + 0.5}
              y={top + active.row * rowHeight + 0.5}
              width={cell - 1}
              height={rowHeight - 1}
              fill="none"
            />
          )}
        </svg>
      )}
      <p className={classes.note} aria-live="polite">
        {active && (read?.words ?? `${rows[active.row]}, ${columns[active.column]}: no value`)}
      </p>
    </div>
  )
}
