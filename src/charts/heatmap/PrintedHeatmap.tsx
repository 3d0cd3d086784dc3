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

/** The width of a page, in CSS pixels, and of a figure on a phone. */
const pageWidth = 680
const phoneWidth = 300

/** The part of a page that a heatmap may fill, as height per width. */
const tallest = 1.25

type Props = { matrix: HeatmapMatrix<ShownRow>; compared: ReadonlySet<number> }

/** With more parts than this, a report grows past what can be published. */
const mostParts = 8

/**
 * The whole heatmap, which paper cannot scroll: a drawing for each page that it fills, scaled to the width of the page, and
 * on public pages one for phones, in both themes.
 */
export function PrintedHeatmap({ matrix, compared }: Props) {
  const { rows, groups } = matrix
  const layouts = useMemo(() => layoutsFor(rows, groups), [rows, groups])
  const [all] = layouts
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
      {parts.map((part, place) =>
        layouts.map((all, isNarrow) =>
          (['light', 'dark'] as const).map((scheme) => (
            <PrintedCanvas
              key={`${part.rows[0]?.id} ${isNarrow} ${scheme}`}
              matrix={part}
              label={parts.length > 1 ? `${label}, part ${place + 1} of ${parts.length}` : label}
              isNarrow={isNarrow > 0}
              {...{ all, rates, compared, scheme }}
            />
          )),
        ),
      )}
      {parts.length * perPart < rows.length && (
        <p>
          The first {parts.length * perPart} of {counted(rows.length, 'row')}.
        </p>
      )}
    </div>
  )
}

type CanvasProps = Props & {
  label: string
  all: HeatmapLayout
  rates: readonly (number | null)[]
  scheme: ColorScheme
  isNarrow: boolean
}

/** A drawing for one theme. Paper has the light one, and a public page the one of its reader's theme. */
function PrintedCanvas({ matrix, label, all, rates, compared, scheme, isNarrow }: CanvasProps) {
  const height = all.headerHeight + matrix.rows.length * all.rowHeight
  const size = useMemo(() => ({ width: all.width, height }), [all.width, height])
  const canvas = useDrawing(
    size,
    useCallback(
      (pen) =>
        drawHeatmap(pen, {
          matrix,
          labels: toLabels(matrix.rows, matrix.groups),
          rates,
          compared,
          layout: { ...all, ...size },
          viewport: size,
          scroll: { x: 0, y: 0 },
          palette: paletteOf(scheme, pen.canvas),
          active: null,
          selected: null,
        }),
      [matrix, rates, compared, all, size, scheme],
    ),
  )
  return (
    <canvas
      ref={canvas}
      style={{ width: size.width }}
      data-published={scheme}
      data-narrow={isNarrow || undefined}
      aria-label={label}
    />
  )
}

/** A phone has a drawing of its own if all columns fit its width. */
function layoutsFor(rows: readonly ShownRow[], groups: HeatmapMatrix['groups']): [HeatmapLayout, ...HeatmapLayout[]] {
  const labels = toLabels(rows, groups)
  const within = (width: number) => layoutHeatmap(labels, { width, height: width })
  const phone = within(phoneWidth)
  return phone.width <= phoneWidth ? [within(pageWidth), phone] : [within(pageWidth)]
}
