import { use, useState } from 'react'

import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { type Axis, niceAxis } from '#src/charts/nice-axis.ts'
import { seriesColor } from '#src/charts/series.ts'
import { LinkContext } from '#src/ui/LinkContext.ts'
import classes from './StackedBars.module.css'

/** `series` is the place in the legend. A part without `href` is no link. */
type BarPart = { series: number; value: number; words: string; href: string | undefined }

type StackedBar = { key: string; name: string; words: string; href: string; parts: readonly BarPart[] }

type Props = {
  label: string
  /** The names of the parts, in the order of their colors. */
  series: readonly string[]
  bars: readonly StackedBar[]
  format: (value: number) => string
}

const height = 260
const margin = { top: 12, right: 4, bottom: 28, left: 60 }
const letterWidth = 7
const widestBar = 48

const totalOf = (parts: readonly BarPart[]) => parts.reduce((sum, { value }) => sum + value, 0)

/** A bar per step of time, each of stacked parts. Bars are links, and most parts; with Tab one reaches the bars. */
export function StackedBars({ label, series, bars, format }: Props) {
  const [hover, setHover] = useState<{ place: number; x: number; y: number } | null>(null)
  const axis = niceAxis(0, Math.max(...bars.map(({ parts }) => totalOf(parts))) || 1, 4)
  const shown = hover && bars[hover.place]
  return (
    <>
      <ul className={classes.legend} aria-label="Colors">
        {series.map((name, place) => (
          <li key={name}>
            <Swatch series={place} />
            {name}
          </li>
        ))}
      </ul>
      <ChartFrame
        label={label}
        height={height}
        hint={hover && shown ? { ...hover, text: <Hint bar={shown} series={series} format={format} /> } : null}
      >
        {({ size: { width } }) => {
          const at = placesOf({ width, count: bars.length, axis })
          const longest = Math.max(...bars.map(({ name }) => name.length))
          const every = Math.max(1, Math.ceil(((longest + 2) * letterWidth) / at.slot))
          return (
            <svg width={width} height={height} className={classes.plot} onPointerLeave={() => setHover(null)}>
              <Grid axis={axis} width={width} at={at} format={format} />
              {bars.map((bar, place) => (
                <g
                  key={bar.key}
                  onPointerEnter={() => setHover({ place, x: at.x(place) + at.slot / 2, y: margin.top })}
                >
                  <Bar bar={bar} at={at} place={place} />
                  {place % every === 0 && (
                    <text x={at.x(place) + at.slot / 2} y={height - 8} textAnchor="middle" aria-hidden>
                      {bar.name}
                    </text>
                  )}
                </g>
              ))}
            </svg>
          )
        }}
      </ChartFrame>
    </>
  )
}

export const Swatch = ({ series }: { series: number }) => (
  <span className={classes.swatch} style={{ background: seriesColor(series) }} aria-hidden />
)

type At = { x: (place: number) => number; y: (value: number) => number; slot: number }

function placesOf({ width, count, axis }: { width: number; count: number; axis: Axis }): At {
  const slot = (width - margin.left - margin.right) / count
  const room = height - margin.top - margin.bottom
  return {
    slot,
    x: (place) => margin.left + place * slot,
    y: (value) => height - margin.bottom - (value / axis.high) * room,
  }
}

type GridProps = { axis: Axis; width: number; at: At; format: (value: number) => string }

const Grid = ({ axis, width, at, format }: GridProps) => (
  <g aria-hidden>
    {axis.ticks.map((tick) => (
      <g key={tick} transform={`translate(0 ${at.y(tick)})`}>
        <line x1={margin.left} x2={width - margin.right} className={classes.grid} />
        <text x={margin.left - 8} dy="0.32em" textAnchor="end">
          {format(tick)}
        </text>
      </g>
    ))}
  </g>
)

function Bar({ bar, at, place }: { bar: StackedBar; at: At; place: number }) {
  const { Link } = use(LinkContext)
  const width = Math.min(widestBar, at.slot * 0.8)
  const left = at.x(place) + (at.slot - width) / 2
  return (
    <>
      <Link href={bar.href} className={classes.bar}>
        <title>{bar.words}</title>
        <rect
          x={at.x(place)}
          width={at.slot}
          y={margin.top}
          height={height - margin.top - margin.bottom}
          className={classes.room}
        />
      </Link>
      {bar.parts.map(({ series, value, words, href }, part) => {
        const below = totalOf(bar.parts.slice(0, part))
        const [top, bottom] = [at.y(below + value), at.y(below)]
        const rect = (
          <rect
            {...{ x: left, width, y: top, height: Math.max(0, bottom - top) }}
            className={classes.part}
            fill={seriesColor(series)}
          />
        )
        return href === undefined ? (
          <g key={series}>
            <title>{words}</title>
            {rect}
          </g>
        ) : (
          <Link key={series} href={href} className={classes.parted} tabIndex={-1}>
            <title>{words}</title>
            {rect}
          </Link>
        )
      })}
    </>
  )
}

const Hint = ({ bar, series, format }: { bar: StackedBar } & Pick<Props, 'series' | 'format'>) => (
  <div className={classes.hint}>
    <b>{bar.words}</b>
    {bar.parts.toReversed().map((part) => (
      <HintPart key={part.series} {...part} name={series[part.series] ?? ''} text={format(part.value)} />
    ))}
  </div>
)

const HintPart = ({ series, name, text }: { series: number; name: string; text: string }) => (
  <>
    <Swatch series={series} />
    <span>{name}</span>
    <i>{text}</i>
  </>
)
