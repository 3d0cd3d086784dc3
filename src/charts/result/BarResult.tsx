import { useState } from 'react'
import { Bar, BarChart, CartesianGrid, ErrorBar, Legend, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'

import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { axisLooks, pictureOf, tooltipLooks } from '#src/charts/chart-looks.ts'
import { ChartTooltip } from '#src/charts/ChartTooltip.tsx'
import { SeriesLegend } from '#src/charts/SeriesLegend.tsx'
import { seriesColor } from '#src/charts/series.ts'
import { shortNames } from '#src/charts/short-names.ts'
import type { PlannedBar } from './plan-bars.ts'
import type { Plan } from './plan-result.ts'
import classes from './ResultChart.module.css'

type Props = { plan: Extract<Plan, { kind: 'bar' }>; onRead: (rows: readonly number[]) => void }

const letterWidth = 7
/** Names have half of the width there. */
const phoneWidth = 400
const rowHeights = { alone: 26, parted: 16 }

const valueOf = ({ datum }: PlannedBar) => datum?.y ?? null
const errorOf = ({ datum }: PlannedBar) => (datum?.range ? [datum.y - datum.range.low, datum.range.high - datum.y] : 0)

/** Horizontal bars with the names of their categories beside them. */
export function BarResult({ plan, onRead }: Props) {
  const { name, bars, legend, x, title } = plan
  const [width, setWidth] = useState(0)
  const [shown, setShown] = useState<string | null>(null)
  const barOf = new Map(bars.map((bar) => [bar.key, bar]))
  const rowHeight = legend.length > 0 ? rowHeights.parted : rowHeights.alone
  const long = bars.map((bar) => bar.name ?? '')
  const letters = Math.max(6, Math.floor((width * (width < phoneWidth ? 0.5 : 0.35)) / letterWidth))
  const names = namesOf(long, letters)
  const room = Math.max(0, ...[...names.values()].map(({ length }) => length)) * letterWidth + 16
  return (
    <ChartFrame
      label={name}
      height={bars.length * rowHeight + (title ? 52 : 36) + (legend.length > 0 ? 28 : 0)}
      onWidth={setWidth}
    >
      <BarChart
        {...pictureOf(name)}
        data={bars}
        layout="vertical"
        barCategoryGap={legend.length > 0 ? 1 : 5}
        margin={{ top: 4, right: 24, bottom: title ? 16 : 0, left: 0 }}
      >
        <CartesianGrid horizontal={false} stroke="var(--line)" />
        <XAxis
          {...axisLooks}
          type="number"
          domain={x.domain}
          ticks={x.ticks}
          tickFormatter={(tick: number) => x.format(tick)}
          label={{ value: title, position: 'bottom', offset: -4, fill: 'var(--text)', fontSize: 12 }}
        />
        <YAxis
          {...axisLooks}
          dataKey="key"
          type="category"
          interval={0}
          width={room}
          axisLine={false}
          tick={<Name bars={bars} names={names} />}
        />
        {legend.length > 0 && (
          <Legend
            verticalAlign="top"
            align="left"
            content={<SeriesLegend entries={legend} shown={shown} onShow={setShown} />}
          />
        )}
        {x.domain[0] < 0 && <ReferenceLine x={0} stroke="var(--text-faint)" />}
        <Bar
          dataKey={valueOf}
          isAnimationActive={false}
          shape={<BarShape shown={legend.find((entry) => entry.name === shown)?.series ?? null} />}
        >
          <ErrorBar
            dataKey={errorOf}
            direction="x"
            width={3}
            stroke="var(--text)"
            strokeWidth={1.25}
            isAnimationActive={false}
          />
        </Bar>
        <Tooltip
          {...tooltipLooks}
          cursor={{ fill: 'var(--surface-hover)', stroke: 'none' }}
          content={
            <ChartTooltip
              read={({ label: key }) => {
                const bar = barOf.get(String(key))
                onRead(bar?.datum ? [bar.datum.row] : [])
                return bar?.datum ? { title: bar.words, readings: [] } : null
              }}
            />
          }
        />
      </BarChart>
    </ChartFrame>
  )
}

/** The names as they are written, by the whole name. */
function namesOf(long: readonly string[], letters: number) {
  const whole = [...new Set(long)]
  const short = shortNames(whole, letters)
  return new Map(whole.map((name, place) => [name, short[place] ?? name]))
}

type NameProps = {
  bars: readonly PlannedBar[]
  names: ReadonlyMap<string, string>
  x?: number
  y?: number
  index?: number
}

const Name = ({ bars, names, x, y, index = 0 }: NameProps) => {
  const name = bars[index]?.name ?? null
  return name === null ? null : (
    <text x={x} y={y} dy="0.32em" textAnchor="end" className={classes.name}>
      <title>{name}</title>
      {names.get(name)}
    </text>
  )
}

type BarShapeProps = {
  /** The color that stands out. */
  shown: number | null
  payload?: PlannedBar
  x?: number
  y?: number
  width?: number
  height?: number
}

const BarShape = ({ shown, payload, x = 0, y, width = 0, height }: BarShapeProps) =>
  payload?.datum ? (
    <rect
      x={Math.min(x, x + width)}
      y={y}
      width={Math.max(1, Math.abs(width))}
      height={height}
      rx={1.5}
      fill={seriesColor(payload.color, shown === payload.color)}
      opacity={shown === null || shown === payload.color ? 1 : 0.25}
    />
  ) : null
