import { useMemo, useState } from 'react'
import { CartesianGrid, ComposedChart, ErrorBar, Legend, Line, Scatter, Tooltip, XAxis, YAxis } from 'recharts'

import type { Hover, Point } from '#src/charts/PointLayer.tsx'
import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { axisLooks, pictureOf, tooltipLooks } from '#src/charts/chart-looks.ts'
import { ChartTooltip } from '#src/charts/ChartTooltip.tsx'
import { SeriesLegend } from '#src/charts/SeriesLegend.tsx'
import { seriesColor } from '#src/charts/series.ts'
import type { LabelledAxis } from './axes.ts'
import { ManyPoints } from './ManyPoints.tsx'
import type { Plan, PlannedPoint } from './plan-result.ts'

type Props = {
  plan: Extract<Plan, { kind: 'line' | 'scatter' }>
  /** Called with the rows of the result at the pointer. */
  onRead: (rows: readonly number[]) => void
  onRow?: ((row: number) => void) | undefined
}

/** Above this number, dots on a line add nothing, and only values without neighbors have one. */
const maxDots = 60
/** Above this number, dots are on a canvas. */
const maxElements = 1000

const errorOf = ({ y, range }: PlannedPoint) => (range ? [y - range.low, range.high - y] : 0)

/** Lines or dots on two axes. */
export function PlaneResult({ plan, onRead, onRow }: Props) {
  const { name, kind, series, x, y, titles } = plan
  const [shown, setShown] = useState<string | null>(null)
  const [backdrop, setBackdrop] = useState<HTMLElement | null>(null)
  const [hover, setHover] = useState<Hover | null>(null)
  const many = useMemo(() => (kind === 'scatter' ? manyOf(series) : null), [kind, series])
  const hint = hover && { x: hover.x, y: hover.y, text: describeHover(hover, series) }
  const at = useMemo(() => {
    const points = series.flatMap((one) => one.points.flatMap((point) => (point.y === null ? [] : [{ one, point }])))
    return Map.groupBy(points, ({ point }) => point.x)
  }, [series])
  const label = { fill: 'var(--text)', fontSize: 12 }
  return (
    <ChartFrame label={name} height={360} onBackdrop={setBackdrop} hint={hint}>
      <ComposedChart {...pictureOf(name)} margin={{ top: 8, right: 16, bottom: titles.x ? 16 : 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          {...axisLooks}
          dataKey="x"
          type="number"
          domain={x.domain}
          ticks={x.ticks}
          tickFormatter={(tick: number) => x.format(tick)}
          interval="equidistantPreserveStart"
          label={{ ...label, value: titles.x, position: 'bottom', offset: -4 }}
        />
        <YAxis
          {...axisLooks}
          type="number"
          domain={y.domain}
          ticks={y.ticks}
          tickFormatter={(tick: number) => y.format(tick)}
          width="auto"
          axisLine={false}
          label={{ ...label, value: titles.y, angle: -90, position: 'insideLeft', style: { textAnchor: 'middle' } }}
        />
        {series.length > 1 && (
          <Legend
            verticalAlign="top"
            align="left"
            content={
              <SeriesLegend
                entries={series.map((one) => ({ name: one.name, series: one.color }))}
                shown={shown}
                onShow={setShown}
              />
            }
          />
        )}
        {many && <Scatter data={cornersOf(x, y)} dataKey="y" isAnimationActive={false} shape={<Nothing />} />}
        {many && backdrop && (
          <ManyPoints
            points={many}
            backdrop={backdrop}
            onHover={setHover}
            onSelect={([first]) => first && onRow?.(Number(first.id))}
          />
        )}
        {(many ? [] : series).map((one) => {
          const color = seriesColor(one.color, shown === one.name)
          const opacity = shown === null || shown === one.name ? 1 : 0.2
          const isSparse = one.points.length <= maxDots
          const errors = isSparse && (
            <ErrorBar
              dataKey={errorOf}
              direction="y"
              width={3}
              stroke={color}
              strokeWidth={1.25}
              opacity={opacity}
              isAnimationActive={false}
            />
          )
          return kind === 'line' ? (
            <Line
              key={one.name}
              name={one.name}
              data={one.points}
              dataKey="y"
              stroke={color}
              strokeWidth={1.75}
              opacity={opacity}
              isAnimationActive={false}
              dot={<Dot isSparse={isSparse} color={color} opacity={opacity} />}
              activeDot={{ r: 4, fill: color, stroke: 'var(--surface)' }}
            >
              {errors}
            </Line>
          ) : (
            <Scatter
              key={one.name}
              name={one.name}
              data={one.points}
              dataKey="y"
              fill={color}
              opacity={opacity}
              isAnimationActive={false}
              shape={<Dot isSparse color={color} opacity={opacity * 0.85} radius={isSparse ? 4 : 3} />}
            >
              {errors}
            </Scatter>
          )
        })}
        <Tooltip
          {...tooltipLooks}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={
            <ChartTooltip
              read={({ label: place }) => {
                const found = at.get(Number(place)) ?? []
                onRead(found.map(({ point }) => point.row))
                return {
                  title: '',
                  readings: found.slice(0, 12).map(({ one, point }) => ({
                    key: `${one.name} ${point.row}`,
                    series: one.color,
                    name: '',
                    text: point.words,
                  })),
                }
              }}
            />
          }
        />
      </ComposedChart>
    </ChartFrame>
  )
}

const Nothing = () => null

/** Axes are drawn for elements of a chart, of which the points on a canvas are none. */
const cornersOf = (x: LabelledAxis, y: LabelledAxis) => [0, 1].map((end) => ({ x: x.domain[end], y: y.domain[end] }))

/** The points of all series for a canvas; null if there are few of them. */
function manyOf(series: Props['plan']['series']): Point[] | null {
  const points = series.flatMap((one) =>
    one.points.flatMap((point): Point[] =>
      point.y === null ? [] : [{ id: String(point.row), x: point.x, y: point.y, group: one.name, series: one.color }],
    ),
  )
  return points.length > maxElements ? points : null
}

function describeHover({ points }: Hover, series: Props['plan']['series']) {
  const [first, ...others] = points
  if (!first) return ''
  const found = series.flatMap((one) => one.points).find((point) => point.y !== null && String(point.row) === first.id)
  const words = found && found.y !== null ? found.words : ''
  return others.length > 0 ? `${words} and ${others.length} more` : words
}

type DotProps = {
  isSparse: boolean
  color: string
  opacity: number
  radius?: number
  cx?: number
  cy?: number
  payload?: Partial<PlannedPoint>
}

const Dot = ({ isSparse, color, opacity, radius = 2.5, cx, cy, payload }: DotProps) =>
  typeof payload?.y === 'number' && (isSparse || payload.isAlone === true) ? (
    <circle cx={cx} cy={cy} r={radius} fill={color} opacity={opacity} />
  ) : null
