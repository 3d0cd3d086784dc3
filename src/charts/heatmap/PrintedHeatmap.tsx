import { useCallback, useMemo } from 'react'

import { counted } from '#src/format/numbers.ts'
import { useDrawing } from '#src/charts/use-drawing.ts'
import { drawHeatmap } from './draw-heatmap.ts'
import { type HeatmapLayout, layoutHeatmap } from './heatmap-geometry.ts'
import { toLabels } from './heatmap-labels.ts'
import type { HeatmapMatrix } from './heatmap-matrix.ts'
import { type ColorScheme, paletteOf } from './heatmap-palette.ts'
import { type ShownRow, columnRates } from './heatmap-tree.ts'
import classes from './HeatmapCanvas.module.css'

/** The width of a page, in CSS pixels. */
const pageWidth = 680

/** The part of a page that a heatmap may fill, as height per width. */
const tallest = 1.25

type Props = { matrix: HeatmapMatrix<ShownRow>; compared: ReadonlySet<number> }

/** With more parts than this, a report grows past what can be published. */
const mostParts = 8

/** The whole heatmap, which paper cannot scroll: a drawing for each page that it fills, scaled to the width of the page. */
export function PrintedHeatmap({ matrix, compared }: Props) {
  const { rows, groups } = matrix
  const all = useMemo(() => layout(rows, groups), [rows, groups])
  const rates = useMemo(() => columnRates(matrix), [matrix])
  const room = Math.max(pageWidth, all.width) * tallest - all.headerHeight
  const perPart = Math.max(1, Math.floor(room / all.rowHeight))
  const parts = useMemo(
    () =>
      Array.from({ length: Math.min(mostParts, Math.ceil(rows.length / perPart)) }, (_, part) => ({
        groups,
        rows: rows.slice(part * perPart, (part + 1) * perPart),
      })),
    [rows, groups, perPart],
  )
  const label = `Heatmap of ${counted(rows.length, 'row')} by ${counted(groups.length, 'group')}`
  return (
    <div className={classes.printed}>
      {parts.map((part, place) => (
        <PrintedPart
          key={part.rows[0]?.id}
          matrix={part}
          label={parts.length > 1 ? `${label}, part ${place + 1} of ${parts.length}` : label}
          {...{ all, rates, compared }}
        />
      ))}
      {parts.length * perPart < rows.length && (
        <p>
          The first {parts.length * perPart} of {counted(rows.length, 'row')}.
        </p>
      )}
    </div>
  )
}

type PartProps = Props & { label: string; all: HeatmapLayout; rates: readonly (number | null)[] }

/** Some rows below the names of the columns, in both themes. */
function PrintedPart({ matrix, label, all, rates, compared }: PartProps) {
  const labels = useMemo(() => toLabels(matrix.rows, matrix.groups), [matrix])
  const height = all.headerHeight + matrix.rows.length * all.rowHeight
  const size = useMemo(() => ({ width: all.width, height }), [all.width, height])
  const draw = useCallback(
    (pen: CanvasRenderingContext2D, scheme: ColorScheme) =>
      drawHeatmap(pen, {
        matrix,
        labels,
        rates,
        compared,
        layout: { ...all, ...size },
        viewport: size,
        scroll: { x: 0, y: 0 },
        palette: paletteOf(scheme, pen.canvas),
        active: null,
        selected: null,
      }),
    [matrix, labels, rates, compared, all, size],
  )
  return (['light', 'dark'] as const).map((scheme) => <PrintedCanvas key={scheme} {...{ scheme, size, draw, label }} />)
}

type Drawing = {
  scheme: ColorScheme
  size: { width: number; height: number }
  draw: (pen: CanvasRenderingContext2D, scheme: ColorScheme) => void
  label: string
}

/** A drawing for one theme. Paper has the light one, and a public page the one of its reader's theme. */
function PrintedCanvas({ scheme, size, draw, label }: Drawing) {
  const canvas = useDrawing(
    size,
    useCallback((pen) => draw(pen, scheme), [draw, scheme]),
  )
  return <canvas ref={canvas} style={{ width: size.width }} data-published={scheme} aria-label={label} />
}

const layout = (rows: readonly ShownRow[], groups: HeatmapMatrix['groups']) =>
  layoutHeatmap(toLabels(rows, groups), { width: pageWidth, height: pageWidth })
