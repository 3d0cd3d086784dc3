import { use, useState } from 'react'
import { Bar, BarChart, CartesianGrid, Legend, Tooltip, usePlotArea, useXAxisScale, XAxis, YAxis } from 'recharts'

import { axisLooks, tooltipLooks } from '#src/charts/chart-looks.ts'
import { niceScale } from '#src/charts/axis-scale.ts'
import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { ChartTooltip, type Reading } from '#src/charts/ChartTooltip.tsx'
import { SeriesLegend } from '#src/charts/SeriesLegend.tsx'
import { seriesColor } from '#src/charts/series.ts'
import { tickNames } from '#src/charts/tick-names.ts'
import { LinkContext } from '#src/ui/LinkContext.ts'
import classes from './StackedBars.module.css'

/** `series` is the place in the legend. A part without `href` is no link. */
type BarPart = { series: number; value: number; words: string; href: string | undefined }

type StackedBar = { key: string; name: string; words: string; href: string; parts: readonly BarPart[] }

/** A part of the legend: its name, and the index of its color. */
type BarSeries = { name: string; color: number }

type Props = {
  label: string
  /** In the order in which parts are stacked. */
  series: readonly BarSeries[]
  bars: readonly StackedBar[]
  format: (value: number) => string
}

const height = 300

const totalOf = (parts: readonly BarPart[]) => parts.reduce((sum, { value }) => sum + value, 0)
const partOf = ({ parts }: StackedBar, place: number) => parts.find(({ series }) => series === place)

/** A bar per step of time, each of stacked parts. Bars are links, and most parts; with Tab one reaches the bars. */
export function StackedBars({ label, series, bars, format }: Props) {
  const [shown, setShown] = useState<string | null>(null)
  const scale = niceScale(0, Math.max(0, ...bars.map(({ parts }) => totalOf(parts))) || 1)
  const barOf = new Map(bars.map((bar) => [bar.key, bar]))
  return (
    <ChartFrame label={label} height={height}>
      <BarChart data={[...bars]} accessibilityLayer={false} margin={{ top: 12, right: 4, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          {...axisLooks}
          dataKey="key"
          tickFormatter={(key: string) => barOf.get(key)?.name ?? ''}
          interval="equidistantPreserveStart"
          axisLine={false}
        />
        <YAxis {...axisLooks} {...scale} width="auto" axisLine={false} tickFormatter={tickNames(scale.ticks, format)} />
        <Legend
          verticalAlign="top"
          align="left"
          content={
            <SeriesLegend
              entries={series.map(({ name, color }) => ({ name, series: color }))}
              shown={shown}
              onShow={setShown}
            />
          }
        />
        <BarLinks bars={bars} />
        {series.map(({ name, color }, place) => (
          <Bar
            key={name}
            dataKey={(bar: StackedBar) => partOf(bar, place)?.value ?? 0}
            stackId="parts"
            maxBarSize={48}
            isAnimationActive={false}
            shape={
              <Part
                place={place}
                color={seriesColor(color, shown === name)}
                isFaint={shown !== null && shown !== name}
              />
            }
          />
        ))}
        <Tooltip
          {...tooltipLooks}
          cursor={{ fill: 'var(--surface-hover)', stroke: 'none' }}
          content={
            <ChartTooltip
              read={({ label: key }) => {
                const bar = barOf.get(String(key))
                return bar ? { title: bar.words, readings: readingsOf(bar, series, format) } : null
              }}
            />
          }
        />
      </BarChart>
    </ChartFrame>
  )
}

const readingsOf = ({ parts }: StackedBar, series: readonly BarSeries[], format: Props['format']): Reading[] =>
  parts.toReversed().map(({ series: place, value }) => ({
    key: String(place),
    series: series[place]?.color ?? null,
    name: series[place]?.name ?? '',
    text: format(value),
  }))

type PartProps = {
  /** Of the part, in the order of the legend. */
  place: number
  color: string
  isFaint: boolean
  /** The next ones are from Recharts. */
  payload?: StackedBar
  x?: number
  y?: number
  width?: number
  height?: number
}

function Part({ place, color, isFaint, payload, x, y, width, height: tall }: PartProps) {
  const { Link } = use(LinkContext)
  const part = payload && partOf(payload, place)
  if (!part) return null
  const rect = (
    <rect {...{ x, y, width, height: tall }} className={classes.part} fill={color} opacity={isFaint ? 0.25 : 1} />
  )
  return part.href === undefined ? (
    rect
  ) : (
    <Link href={part.href} className={classes.parted} tabIndex={-1}>
      <title>{part.words}</title>
      {rect}
    </Link>
  )
}

/** The room of each bar, from the axis to the top, as a link to everything behind the bar. */
function BarLinks({ bars }: { bars: readonly StackedBar[] }) {
  const { Link } = use(LinkContext)
  const plot = usePlotArea()
  const toX = useXAxisScale()
  if (!plot || !toX) return null
  return bars.map(({ key, href, words }) => {
    const [start, end] = [toX(key, { position: 'start' }), toX(key, { position: 'end' })]
    if (start === undefined || end === undefined) return null
    return (
      <Link key={key} href={href} className={classes.bar}>
        <title>{words}</title>
        <rect x={start} width={end - start} y={plot.y} height={plot.height} className={classes.room} />
      </Link>
    )
  })
}
