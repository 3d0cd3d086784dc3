import './heatmap.css'
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'

import { FigureContext } from '#src/ui/FigureContext.ts'
import { useIsPrinting } from '#src/ui/use-is-printing.ts'
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
import { type ShownRow, columnRates } from './heatmap-tree.ts'
import classes from './HeatmapCanvas.module.css'
import { HeatmapTooltip } from './HeatmapTooltip.tsx'
import { PrintedHeatmap } from './PrintedHeatmap.tsx'
import { moveInTree } from './move-in-tree.ts'
import { ChartTools } from '#src/charts/picture/ChartTools.tsx'
import { useDrawing } from '#src/charts/use-drawing.ts'

type Props = {
  matrix: HeatmapMatrix<ShownRow>
  /** The number of tests, in open and closed folders. */
  tests: number
  selected: CellPosition | null
  onSelect: (cell: CellPosition) => void
  /** Opens or closes a folder. */
  onToggle: (id: string) => void
  /** The columns whose difference orders the rows. */
  compared: ReadonlySet<number>
}

/** Tests × groups on one canvas the size of the visible part; the scroll bars cover the whole matrix. */
export function HeatmapCanvas({ matrix, tests, selected, onSelect, onToggle, compared }: Props) {
  const activeId = useId()
  const scheme = useComputedColorScheme('light')
  const { ref: sizeRef, width, height } = useElementSize<HTMLDivElement>()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<CellPosition | null>(null)
  const [label, setLabel] = useState<string>()
  const [scroll, setScroll] = useState({ x: 0, y: 0 })

  const isPrinting = useIsPrinting()
  const viewport = useMemo(() => ({ width, height }), [width, height])
  const { rows, groups } = matrix
  const labels = useMemo(() => toLabels(rows, groups), [rows, groups])
  const layout = useMemo(() => layoutHeatmap(labels, viewport), [labels, viewport])
  const rates = useMemo(() => columnRates(matrix), [matrix])
  const hasFolders = useMemo(() => rows.some(({ isOpen }) => isOpen !== null), [rows])
  const counts = { rows: rows.length, columns: groups.length, hasNames: hasFolders }

  const canvas = useDrawing(
    viewport,
    useCallback(
      (pen) => {
        const palette = paletteOf(scheme, pen.canvas)
        drawHeatmap(pen, { matrix, labels, layout, viewport, scroll, palette, rates, active, selected, compared })
      },
      [matrix, labels, layout, viewport, scroll, rates, active, selected, compared, scheme],
    ),
  )

  const [selectedRow, selectedColumn] = [selected?.row ?? -1, selected?.column ?? -1]
  const scrollTo = (cell: CellPosition) => {
    const { x, y } = scrollToCell(layout, scroll, viewport, cell)
    scroller.current?.scrollTo(x, y)
  }
  const place = use(FigureContext)
  const chosen = useRef<HTMLDivElement>(null)
  const revealChosen = useEffectEvent((cell: CellPosition) => {
    scrollTo(cell)
    // A figure must not scroll the report that it is in.
    if (place === 'page') reveal(chosen.current)
  })
  // Browser API: scrolling to the selected cell, when a link names it and when a pane beside the chart makes it
  // narrower.
  useEffect(() => {
    if (width > 0 && selectedRow >= 0 && selectedColumn >= 0) revealChosen({ row: selectedRow, column: selectedColumn })
  }, [selectedRow, selectedColumn, width])

  const select = (cell: CellPosition) => {
    const row = rows[cell.row]
    if (row && row.isOpen !== null) return onToggle(row.id)
    if (cell.column < 0) return
    setActive(null)
    onSelect(cell)
  }
  const cellUnder = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent | MouseEvent) =>
    cellAt(layout, scroll, { x: offsetX, y: offsetY }, counts)
  const labelUnder = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent | MouseEvent) =>
    labelAt(layout, scroll, { x: offsetX, y: offsetY }, counts)
  const current = active ?? selected ?? { row: 0, column: 0 }
  const onClick = (event: MouseEvent) => {
    // A click from the keyboard or assistive technology has no position.
    if (event.detail === 0) return select(current)
    const label = labelUnder(event)
    const cell = label && label.row !== undefined ? { row: label.row, column: -1 } : cellUnder(event)
    if (cell) select(cell)
  }
  const onPointerMove = (event: PointerEvent) => {
    setActive(cellUnder(event))
    setLabel(describeLabel(matrix, labelUnder(event)))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor((height - layout.headerHeight) / layout.rowHeight) - 1)
    const inTree = moveInTree(rows, current, event.key)
    const next = inTree?.to ?? moveCell(current, event.key, pageRows, counts)
    if (!next) return
    event.preventDefault()
    if (inTree?.toggles !== undefined) onToggle(inTree.toggles)
    setActive(next)
    scrollTo(next)
  }

  return (
    <div className={classes.root}>
      {isPrinting && <PrintedHeatmap matrix={matrix} compared={compared} />}
      <div
        ref={useMergedRef(scroller, sizeRef)}
        data-unpublished=""
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
            aria-label={`Heatmap of ${tests} tests by ${groups.length} groups. Arrow keys move, Enter shows the runs${hasFolders ? ' or opens a folder' : ''}.`}
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
      <ChartTools label="heatmap" />
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
