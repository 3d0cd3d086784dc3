import './heatmap.css'
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'

import { reveal } from '#src/ui/reveal.ts'
import { describeCell, describeLabel } from './describe-cell.ts'
import { drawHeatmap } from './draw-heatmap.ts'
import {
  type CellPosition,
  type HeatmapLayout,
  cellAt,
  cellOrigin,
  labelAt,
  layoutHeatmap,
  moveCell,
  scrollToCell,
} from './heatmap-geometry.ts'
import { toLabels } from './heatmap-labels.ts'
import type { HeatmapMatrix } from './heatmap-matrix.ts'
import { paletteOf } from './heatmap-palette.ts'
import classes from './HeatmapCanvas.module.css'
import { HeatmapTooltip } from './HeatmapTooltip.tsx'
import { useDrawing } from '#src/charts/use-drawing.ts'

type Props = {
  matrix: HeatmapMatrix
  selected: CellPosition | null
  onSelect: (cell: CellPosition) => void
}

/** Tests × groups on one canvas the size of the visible part; the scroll bars cover the whole matrix. */
export function HeatmapCanvas({ matrix, selected, onSelect }: Props) {
  const activeId = useId()
  const scheme = useComputedColorScheme('light')
  const { ref: sizeRef, width, height } = useElementSize<HTMLDivElement>()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<CellPosition | null>(null)
  const [label, setLabel] = useState<string>()
  const [scroll, setScroll] = useState({ x: 0, y: 0 })

  const viewport = useMemo(() => ({ width, height }), [width, height])
  const labels = useMemo(() => toLabels(matrix), [matrix])
  const layout = useMemo(() => layoutHeatmap(labels, viewport), [labels, viewport])
  const counts = { rows: matrix.rows.length, columns: matrix.groups.length }

  const canvas = useDrawing(
    viewport,
    useCallback(
      (pen) => {
        const palette = paletteOf(scheme, pen.canvas)
        drawHeatmap(pen, { matrix, labels, layout, viewport, scroll, palette, active, selected })
      },
      [matrix, labels, layout, viewport, scroll, active, selected, scheme],
    ),
  )

  const [selectedRow, selectedColumn] = [selected?.row ?? -1, selected?.column ?? -1]
  const scrollTo = (cell: CellPosition) => {
    const { x, y } = scrollToCell(layout, scroll, viewport, cell)
    scroller.current?.scrollTo(x, y)
  }
  const chosen = useRef<HTMLDivElement>(null)
  const revealChosen = useEffectEvent((cell: CellPosition) => {
    scrollTo(cell)
    reveal(chosen.current)
  })
  // Browser API: scrolling to the selected cell, when a link names it and when a pane beside the chart makes it
  // narrower.
  useEffect(() => {
    if (width > 0 && selectedRow >= 0 && selectedColumn >= 0) revealChosen({ row: selectedRow, column: selectedColumn })
  }, [selectedRow, selectedColumn, width])

  const select = (cell: CellPosition) => {
    setActive(null)
    onSelect(cell)
  }
  const cellUnder = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent | MouseEvent) =>
    cellAt(layout, scroll, { x: offsetX, y: offsetY }, counts)
  const current = active ?? selected ?? { row: 0, column: 0 }
  const onClick = (event: MouseEvent) => {
    // A click from the keyboard or assistive technology has no position.
    const cell = event.detail === 0 ? current : cellUnder(event)
    if (cell) select(cell)
  }
  const onPointerMove = (event: PointerEvent) => {
    const { offsetX, offsetY } = event.nativeEvent
    setActive(cellUnder(event))
    setLabel(describeLabel(matrix, labelAt(layout, scroll, { x: offsetX, y: offsetY }, counts)))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor((height - layout.headerHeight) / layout.rowHeight) - 1)
    const next = moveCell(current, event.key, pageRows, counts)
    if (!next) return
    event.preventDefault()
    setActive(next)
    scrollTo(next)
  }

  return (
    <div className={classes.root}>
      <div
        ref={useMergedRef(scroller, sizeRef)}
        className={classes.scroller}
        style={{ height: layout.height + 16 }}
        onScroll={({ currentTarget }) => setScroll({ x: currentTarget.scrollLeft, y: currentTarget.scrollTop })}
      >
        <div className={classes.whole} style={{ width: layout.width, height: layout.height }}>
          <div ref={chosen} className={classes.chosen} style={selected ? boxOf(layout, selected) : undefined} />
          <button
            type="button"
            className={classes.surface}
            style={{ width, height }}
            aria-label={`Heatmap of ${counts.rows} tests by ${counts.columns} groups. Arrow keys move, Enter shows the runs.`}
            aria-describedby={activeId}
            onPointerMove={onPointerMove}
            title={label}
            onPointerLeave={() => setActive(null)}
            onBlur={() => setActive(null)}
            onKeyDown={onKeyDown}
            onClick={onClick}
          >
            <canvas ref={canvas} className={classes.canvas} style={{ width, height }} />
          </button>
        </div>
      </div>
      <VisuallyHidden id={activeId} aria-live="polite">
        {active && describeCell(matrix, active)}
      </VisuallyHidden>
      {active && <HeatmapTooltip {...{ matrix, cell: active, layout, scroll, viewport }} />}
    </div>
  )
}

/** The position of the selected cell in the whole matrix, with scroll margins for the labels that cover the edges. */
const boxOf = (layout: HeatmapLayout, cell: CellPosition) => {
  const { x: left, y: top } = cellOrigin(layout, { x: 0, y: 0 }, cell)
  const { columnWidth: width, rowHeight: height, headerHeight, labelWidth } = layout
  return { left, top, width, height, scrollMargin: `${headerHeight}px 0 0 ${labelWidth}px` }
}
