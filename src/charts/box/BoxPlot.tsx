import { useMemo, useState } from 'react'
import { Label, Scatter, ScatterChart, XAxis, YAxis } from 'recharts'

import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { axisProps } from '#src/charts/axis-props.ts'
import { cornersOf, invisibleMarks } from '#src/charts/corners.ts'
import type { Axis, AxisFrom } from '#src/charts/nice-axis.ts'
import type { Hover, Point } from '#src/charts/PointLayer.tsx'
import type { BoxGroup } from './box-group.ts'
import { BoxMarks } from './BoxMarks.tsx'

type Props = {
  label: string
  groups: readonly BoxGroup[]
  /** Runs on demand; their y is ignored because each belongs to the row of its group. */
  points: readonly Point[] | null
  x: { label: string; format: (value: number) => string; axisFrom: AxisFrom; largest?: number }
  selected: string | null
  onSelectGroup: (group: string) => void
  onSelectPoints: (points: Point[]) => void
}

const rowHeight = 64
const noPoints: readonly Point[] = []

/** One row per group: whiskers, quartiles, median and mean of a metric, with its runs behind them. */
export function BoxPlot({ label, groups, points, x, selected, onSelectGroup, onSelectPoints }: Props) {
  const [hover, setHover] = useState<Hover | null>(null)
  const axes = useMemo(
    () => ({
      x: x.axisFrom(0, x.largest ?? furthest(groups, points)),
      y: rowAxis(groups.length),
    }),
    [groups, points, x],
  )
  const scattered = useMemo(() => (points ?? noPoints).map(intoRow), [points])
  const across = { ...axisProps(axes.x), dataKey: 'x', tickFormatter: x.format, tickMargin: 6 }
  const isTall = groups.length > 8
  const hint = hover && { x: hover.x, y: hover.y, text: describeHover(hover, groups, x.format) }
  return (
    <ChartFrame label={label} height={groups.length * rowHeight + (isTall ? 82 : 52)} hint={hint}>
      {({ size, backdrop }) => (
        <ScatterChart {...size} margin={{ top: 4, right: 28, bottom: 20, left: 20 }} accessibilityLayer={false}>
          <XAxis {...across}>
            <Label value={x.label} position="insideBottom" offset={-14} />
          </XAxis>
          {isTall && <XAxis {...across} xAxisId="top" orientation="top" />}
          {isTall && <Scatter data={cornersOf(axes)} xAxisId="top" {...invisibleMarks} />}
          <YAxis type="number" dataKey="y" domain={[axes.y.low, axes.y.high]} hide />
          <Scatter data={cornersOf(axes)} {...invisibleMarks} />
          <BoxMarks
            {...{ groups, axes, size, backdrop, selected, onSelectGroup, onSelectPoints }}
            points={scattered}
            onHover={setHover}
          />
        </ScatterChart>
      )}
    </ChartFrame>
  )
}

function describeHover({ points }: Hover, groups: readonly BoxGroup[], format: (value: number) => string) {
  const [first] = points
  if (!first) return null
  const name = points.length === 1 ? (groups[first.series]?.label ?? '') : `${points.length} runs`
  return `${name}: ${format(first.x)}`
}

/** Rows from the top: row 0 lies between −1 and 0. */
const rowAxis = (rows: number): Axis => ({ low: -rows, high: 0, ticks: [] })

function furthest(groups: readonly BoxGroup[], points: readonly Point[] | null) {
  const most = groups.reduce((value, { max }) => Math.max(value, max ?? 0), 0)
  return (points ?? noPoints).reduce((value, { x }) => Math.max(value, x), most) || 1
}

/** Spreads points with equal values; the positions are always the same. */
function intoRow(point: Point, place: number): Point {
  const shift = ((place * 0.618034) % 1) - 0.5
  return { ...point, y: -point.series - 0.66 + shift * 0.34 }
}
