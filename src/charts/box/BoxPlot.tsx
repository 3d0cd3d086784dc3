import { useMemo, useState } from 'react'

import { type Axis, type AxisFrom, type Scale, fromLog, logAxis } from '#src/charts/nice-axis.ts'
import { PlotFrame } from '#src/charts/PlotFrame.tsx'
import type { Hover, Point } from '#src/charts/PointLayer.tsx'
import type { BoxGroup } from './box-group.ts'
import { BoxMarks } from './BoxMarks.tsx'
import { extentOf, toLog } from './log-groups.ts'

type Props = {
  label: string
  groups: readonly BoxGroup[]
  /** Runs on demand; their y is ignored because each belongs to the row of its group. */
  points: readonly Point[] | null
  x: {
    label: string
    format: (value: number) => string
    axisFrom: AxisFrom
    /** Where ticks of a logarithmic axis can be; by default at powers of ten. */
    logTicks?: readonly number[] | undefined
    largest?: number | undefined
  }
  scale?: Scale
  selected: string | null
  onSelectGroup: (group: string) => void
  onSelectPoints: (points: Point[]) => void
}

const rowHeight = 64
const noPoints: readonly Point[] = []

/** One row per group: whiskers, quartiles, median and mean of a metric with its runs behind them, or a rate. */
export function BoxPlot(props: Props) {
  const { label, points, x, scale = 'linear', selected, onSelectGroup, onSelectPoints } = props
  const [hover, setHover] = useState<Hover | null>(null)
  const { axes, groups, scattered } = useMemo(
    () => placed({ groups: props.groups, points: points ?? noPoints, x, scale }),
    [props.groups, points, x, scale],
  )
  const format = (value: number) => x.format(scale === 'log' ? fromLog(value) : value)
  const isTall = groups.length > 8
  const hint = hover && { x: hover.x, y: hover.y, text: describeHover(hover, groups, format) }
  return (
    <PlotFrame
      label={label}
      height={groups.length * rowHeight + (isTall ? 84 : 60)}
      hint={hint}
      axes={axes}
      x={{ label: x.label, format, isRepeatedAbove: isTall }}
    >
      {(inside) => (
        <BoxMarks
          {...{ groups, axes, selected, onSelectGroup, onSelectPoints }}
          {...inside}
          points={scattered}
          onHover={setHover}
        />
      )}
    </PlotFrame>
  )
}

type Drawn = Pick<Props, 'groups' | 'x'> & { points: readonly Point[]; scale: Scale }

/** Groups and points on their axes. On a logarithmic axis they are at the logarithms of their values. */
function placed({ groups, points, x, scale }: Drawn) {
  const { least, lowest, most } = extentOf(groups, points)
  const rows = new Map(groups.map(({ group }, row) => [group, row]))
  const intoRow = (point: Point, place: number) => spreadInRow(point, rows.get(point.group) ?? 0, place)
  const y = rowAxis(groups.length)
  if (scale === 'linear' || least === null)
    return { axes: { x: x.axisFrom(lowest, x.largest ?? (most || 1)), y }, groups, scattered: points.map(intoRow) }
  const axis = logAxis(least, most, x.logTicks)
  const logarithm = toLog(axis)
  return {
    axes: { x: axis, y },
    groups: groups.map(logarithm.ofGroup),
    scattered: points.map((point, place) => intoRow({ ...point, x: logarithm.of(point.x) }, place)),
  }
}

function describeHover({ points }: Hover, groups: readonly BoxGroup[], format: (value: number) => string) {
  const [first] = points
  if (!first) return null
  const name =
    points.length === 1 ? (groups.find(({ group }) => group === first.group)?.label ?? '') : `${points.length} runs`
  return `${name}: ${format(first.x)}`
}

/** Rows from the top: row 0 is between −1 and 0. */
const rowAxis = (rows: number): Axis => ({ low: -rows, high: 0, ticks: [] })

/** Spreads points with equal values; the positions are always the same. */
function spreadInRow(point: Point, row: number, place: number): Point {
  const shift = ((place * 0.618034) % 1) - 0.5
  return { ...point, y: -row - 0.66 + shift * 0.34 }
}
