import { useElementSize } from '@mantine/hooks'

import { shortNames } from '#src/charts/short-names.ts'
import type { HeatmapPlan } from './plan-heatmap.ts'
import classes from './ResultChart.module.css'

type Props = HeatmapPlan & { name: string; onRow?: ((row: number) => void) | undefined }

const letterWidth = 7.2
const rowHeight = 26
const widestCell = 120
const top = 24

/** The weakest color still differs from an empty cell. */
const strengthOf = (step: number) => 0.6 + 0.9 * step

/** A heatmap of few values, each written into its cell. */
export function QueryHeatmap({ name, columns, rows, cells, onRow }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const longest = Math.max(...rows.map(({ length }) => length), 1) * letterWidth + 12
  // Names use the space that the widest cells leave.
  const left = Math.min(longest, Math.max(width * 0.3, width - columns.length * widestCell))
  const cell = Math.max(30, Math.min(widestCell, (width - left) / Math.max(1, columns.length)))
  const letters = Math.floor((cell - 4) / letterWidth)
  const [across, down] = [shortNames(columns, letters), shortNames(rows, Math.floor((left - 12) / letterWidth))]
  const size = { width: Math.max(width, left + columns.length * cell), height: top + rows.length * rowHeight + 8 }
  return (
    <div ref={ref} className={classes.heatmap} data-measuring={width === 0 ? '' : undefined}>
      {width > 0 && (
        <svg {...size} {...{ role: 'img', 'aria-label': name }} viewBox={`0 0 ${size.width} ${size.height}`}>
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
        </svg>
      )}
    </div>
  )
}
