import type { Axis } from './nice-axis.ts'
import type { Plot } from './plot.ts'
import type { Hover, Point } from './PointLayer.tsx'

/** Props a chart passes to the marks between its axes. */
export type MarksProps<Group> = {
  groups: readonly Group[]
  points: readonly Point[]
  axes: { x: Axis; y: Axis }
  plot: Plot
  size: { width: number; height: number }
  backdrop: HTMLElement
  selected: string | null
  onHover: (hover: Hover | null) => void
  onSelectGroup: (group: string) => void
  onSelectPoints: (points: Point[]) => void
}
