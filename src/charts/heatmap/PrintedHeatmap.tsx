import { useCallback, useMemo } from 'react'

import { counted } from '#src/format/numbers.ts'
import { useDrawing } from '#src/charts/use-drawing.ts'
import { drawHeatmap } from './draw-heatmap.ts'
import { layoutHeatmap } from './heatmap-geometry.ts'
import { toLabels } from './heatmap-labels.ts'
import type { HeatmapMatrix } from './heatmap-matrix.ts'
import { type ColorScheme, paletteOf } from './heatmap-palette.ts'
import type { ShownRow } from './heatmap-tree.ts'
import classes from './HeatmapCanvas.module.css'

/** The width of a page, in CSS pixels. */
const pageWidth = 680

/** The part of a page that a heatmap may fill, as height per width. */
const tallest = 1.25

type Props = { matrix: HeatmapMatrix<ShownRow>; compared: ReadonlySet<number> }

/** The whole width of the heatmap, which paper cannot scroll. It is scaled to the page, and long ones are cut by rows. */
export function PrintedHeatmap({ matrix, compared }: Props) {
  const { rows, groups } = matrix
  const all = useMemo(() => layout(rows, groups), [rows, groups])
  const room = Math.max(pageWidth, all.width) * tallest - all.headerHeight
  const printed = useMemo(
    () => rows.slice(0, Math.max(1, Math.floor(room / all.rowHeight))),
    [rows, room, all.rowHeight],
  )
  const labels = useMemo(() => toLabels(printed, groups), [printed, groups])
  const { width, headerHeight, rowHeight } = all
  const size = useMemo(
    () => ({ width, height: headerHeight + printed.length * rowHeight }),
    [width, headerHeight, rowHeight, printed.length],
  )
  const draw = useCallback(
    (pen: CanvasRenderingContext2D, scheme: ColorScheme) =>
      drawHeatmap(pen, {
        matrix: { ...matrix, rows: printed },
        labels,
        layout: { ...all, ...size },
        viewport: size,
        scroll: { x: 0, y: 0 },
        palette: paletteOf(scheme, pen.canvas),
        active: null,
        selected: null,
        compared,
      }),
    [matrix, printed, labels, all, size, compared],
  )
  const label = `Heatmap of ${counted(rows.length, 'row')} by ${counted(groups.length, 'group')}`
  return (
    <div className={classes.printed}>
      {(['light', 'dark'] as const).map((scheme) => (
        <PrintedCanvas key={scheme} {...{ scheme, size, draw, label }} />
      ))}
      {printed.length < rows.length && (
        <p>
          The first {printed.length} of {counted(rows.length, 'row')}.
        </p>
      )}
    </div>
  )
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
