import { useMemo, useState } from 'react'

import type { AxisFrom } from '#src/charts/nice-axis.ts'
import { PlotFrame } from '#src/charts/PlotFrame.tsx'
import type { Hover, Point } from '#src/charts/PointLayer.tsx'
import { GroupMarks } from './GroupMarks.tsx'
import { scatterAxes } from './scatter-axes.ts'
import type { ScatterGroup } from './scatter-group.ts'

type Props = {
  label: string
  groups: readonly ScatterGroup[]
  /** Runs on demand; null while they are not shown. */
  points: readonly Point[] | null
  x: { label: string; format: (value: number) => string; axisFrom: AxisFrom }
  y: { label: string; format: (value: number) => string }
  selected: string | null
  onSelectGroup: (group: string) => void
  onSelectPoints: (points: Point[]) => void
}

const noPoints: readonly Point[] = []

/** Quality on the Y axis and cost on the X axis: a mark and an ellipse per group, the Pareto front, and runs behind them. */
export function ScatterPlot({ label, groups, points, x, y, selected, onSelectGroup, onSelectPoints }: Props) {
  const [hover, setHover] = useState<Hover | null>(null)
  const shown = points ?? noPoints
  const axes = useMemo(() => scatterAxes(groups, shown, x.axisFrom), [groups, shown, x.axisFrom])
  const hint = hover && { x: hover.x, y: hover.y, text: describeHover(hover, { groups, x, y }) }
  return (
    <PlotFrame label={label} height={440} hint={hint} axes={axes} x={x} y={y}>
      {(inside) => (
        <GroupMarks
          {...{ groups, axes, selected, onSelectGroup, onSelectPoints }}
          {...inside}
          points={shown}
          onHover={setHover}
        />
      )}
    </PlotFrame>
  )
}

function describeHover({ points }: Hover, { groups, x, y }: Pick<Props, 'groups' | 'x' | 'y'>) {
  const [first] = points
  if (!first) return null
  const labels = new Map(groups.map(({ group, label }) => [group, label]))
  const names = [...new Set(points.map(({ group }) => labels.get(group) ?? ''))]
  const at = `${y.label} ${y.format(first.y)}, ${x.label.toLowerCase()} ${x.format(first.x)}`
  return points.length === 1
    ? `${names[0]}: ${at}`
    : `${points.length} runs near ${at}: ${names.slice(0, 4).join(', ')}`
}
