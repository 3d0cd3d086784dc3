import { useMemo, useState } from 'react'
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts'

import { axisLooks, pictureOf, tooltipLooks } from '#src/charts/chart-looks.ts'
import type { Scale } from '#src/charts/axis-scale.ts'
import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { ChartTooltip } from '#src/charts/ChartTooltip.tsx'
import type { Hover, Point } from '#src/charts/PointLayer.tsx'
import { tickNames } from '#src/charts/tick-names.ts'
import type { BoxGroup } from './box-group.ts'
import { type BoxAxis, boxScale } from './box-scale.ts'
import { partsOfRow } from './row-parts.ts'
import { BoxRow } from './BoxRow.tsx'
import { BoxLayer } from './BoxLayer.tsx'

type Props = {
  label: string
  groups: readonly BoxGroup[]
  /** Runs on demand; their y is ignored because each belongs to the row of its group. */
  points: readonly Point[] | null
  x: BoxAxis
  scale?: Scale
  selected: string | null
  /** Without it, rows lead nowhere. */
  onSelectGroup?: (group: string) => void
  onSelectPoints?: (points: Point[]) => void
}

const rowHeight = 64
const noPoints: readonly Point[] = []

const valueOf = ({ median, dot }: BoxGroup) => dot?.value ?? median ?? 0

/** One row per group: whiskers, quartiles, median and mean of a metric with its runs behind them, or a rate. */
export function BoxPlot(props: Props) {
  const { label, groups, points, x, scale = 'linear' } = props
  const [hover, setHover] = useState<Hover | null>(null)
  const [backdrop, setBackdrop] = useState<HTMLElement | null>(null)
  const shown = points ?? noPoints
  const axis = useMemo(() => boxScale(groups, shown, x, scale), [groups, shown, x, scale])
  const scattered = useMemo(() => spreadInRows(shown, groups), [shown, groups])
  const hint = hover && { x: hover.x, y: hover.y, text: describeHover(hover, groups, x.format) }
  const isTall = groups.length > 8
  const names = tickNames(axis.ticks, x.format)
  const across = {
    ...axisLooks,
    type: 'number',
    scale: axis.scale,
    domain: axis.domain,
    ticks: axis.ticks,
    tickFormatter: names,
    allowDataOverflow: true,
    interval: 'preserveStart',
  } as const
  return (
    <ChartFrame
      label={label}
      height={groups.length * rowHeight + (isTall ? 80 : 50)}
      onBackdrop={setBackdrop}
      hint={hint}
    >
      <BarChart
        data={groups}
        layout="vertical"
        {...(props.onSelectGroup ? { accessibilityLayer: false } : pictureOf(label))}
        barCategoryGap={0}
        margin={{ top: 4, right: 28, bottom: 20, left: 20 }}
      >
        <CartesianGrid horizontal={false} stroke="var(--line)" />
        <XAxis {...across} label={{ value: x.label, position: 'bottom', offset: -4, fill: 'var(--text-muted)' }} />
        {isTall && <XAxis {...across} xAxisId="above" orientation="top" />}
        <YAxis dataKey="group" type="category" hide />
        {backdrop && (
          <BoxLayer
            {...{ groups, backdrop }}
            clamp={axis.clamp}
            points={scattered}
            onHover={setHover}
            onSelectPoints={props.onSelectPoints}
          >
            <Bar
              dataKey={valueOf}
              isAnimationActive={false}
              legendType="none"
              shape={<BoxRow selected={props.selected} onSelect={props.onSelectGroup} />}
            />
          </BoxLayer>
        )}
        <Tooltip
          {...tooltipLooks}
          cursor={false}
          content={
            <ChartTooltip
              read={({ label: row }) => {
                const group = hover ? undefined : groups.find((one) => one.group === row)
                return group ? { title: '', readings: [readingOf(group)] } : null
              }}
            />
          }
        />
      </BarChart>
    </ChartFrame>
  )
}

const readingOf = ({ group, series, label, spread, extent }: BoxGroup) => ({
  key: group,
  series,
  name: label,
  text: extent,
  detail: spread,
})

function describeHover({ points }: Hover, groups: readonly BoxGroup[], format: (value: number) => string) {
  const [first] = points
  if (!first) return ''
  const name =
    points.length === 1 ? (groups.find(({ group }) => group === first.group)?.label ?? '') : `${points.length} runs`
  return `${name}: ${format(first.x)}`
}

/** Points in the rows of their groups, where those with equal values spread; the positions are always the same. */
function spreadInRows(points: readonly Point[], groups: readonly BoxGroup[]): Point[] {
  const rows = new Map(groups.map(({ group }, row) => [group, row]))
  return points.map((point, place) => {
    const shift = ((place * 0.618034) % 1) - 0.5
    return { ...point, y: (rows.get(point.group) ?? 0) + partsOfRow.middle + shift * 0.34 }
  })
}
