import type { CellPosition, HeatmapLabels, HeatmapLayout, Offset, Size } from './heatmap-geometry.ts'
import type { HeatmapMatrix } from './heatmap-matrix.ts'
import type { HeatmapPalette } from './heatmap-palette.ts'
import type { ShownRow } from './heatmap-tree.ts'

export type HeatmapScene = {
  matrix: HeatmapMatrix<ShownRow>
  labels: HeatmapLabels
  layout: HeatmapLayout
  viewport: Size
  scroll: Offset
  palette: HeatmapPalette
  /** The pass rate of each column over all its tests. */
  rates: readonly (number | null)[]
  /** Under the pointer or the keyboard. */
  active: CellPosition | null
  /** The item whose runs are in the side pane. */
  selected: CellPosition | null
  /** The columns whose difference orders the rows. */
  compared: ReadonlySet<number>
}

export type Pen = CanvasRenderingContext2D

/** `from` inclusive, `to` exclusive. */
export type Span = { from: number; to: number }
