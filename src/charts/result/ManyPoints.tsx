import { type Hover, type Point, PointLayer } from '#src/charts/PointLayer.tsx'
import { usePlot } from '#src/charts/use-plot.ts'

type Props = {
  points: readonly Point[]
  backdrop: HTMLElement
  onHover: (hover: Hover | null) => void
  onSelect: (points: Point[]) => void
}

/** More dots than elements are good for, on a canvas within the axes. */
export const ManyPoints = (props: Props) => <PointLayer {...props} plot={usePlot()} />
