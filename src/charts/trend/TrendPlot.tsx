import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import type { Axis } from '#src/charts/nice-axis.ts'
import { shortLabel } from '#src/charts/place-labels.ts'
import { seriesColor, seriesOf, seriesSymbol } from '#src/charts/series.ts'
import { splitAtGaps } from '#src/charts/split-at-gaps.ts'
import { spreadLabels } from './spread-labels.ts'
import classes from './TrendPlot.module.css'

type Place = { x: string; value: number | null; interval: { low: number; high: number } | null; words: string }
export type TrendLine = { label: string; places: readonly Place[] }

type Props = {
  label: string
  /** The names on the X axis, in order. */
  xs: readonly string[]
  lines: readonly TrendLine[]
  format: (value: number) => string
  /** By default shares from 0 to 1. */
  axis?: Axis
  /** How a name on the X axis is written; by default as it is. */
  formatX?: (x: string) => string
  /** For a plot that shares a page with other parts. */
  isSmall?: boolean
}

const heights = { whole: 320, small: 208 }
const margin = { top: 12, bottom: 28, left: 60 }
/** The room for a line's name, and the letters that fit, by the width of the plot. */
const widest = { room: 240, letters: 36 }
const wide = { room: 168, letters: 22 }
const narrow = { room: 84, letters: 10 }
const beside = { room: 120, letters: 15 }
const shares: Axis = { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }
/** The least distance between the names of two lines, and between two names on the X axis. */
const labelHeight = 14
const letterWidth = 7

const asItIs = (x: string) => x

/**
 * Values over versions or time: a line per group, and points with their 95 % intervals. A line is broken where another
 * group has a value and it has none.
 */
export function TrendPlot({ label, xs, lines, format, axis = shares, formatX = asItIs, isSmall = false }: Props) {
  const height = isSmall ? heights.small : heights.whole
  return (
    <ChartFrame label={label} height={height} hint={null}>
      {({ size: { width } }) => {
        const { room, letters } = isSmall ? beside : width < 560 ? narrow : width < 900 ? wide : widest
        const at = placesOf({ width: width - margin.left - room, height, xs, lines: lines.length, axis })
        const names = xs.map(formatX)
        const series = seriesOf(lines.map((line) => line.label))
        const measured = new Set(
          lines.flatMap(({ places }) => places.flatMap(({ x, value }) => (value === null ? [] : [x]))),
        )
        const longest = names.reduce((most, name) => Math.max(most, name.length), 0)
        const every = Math.max(1, Math.ceil(((longest + 2) * letterWidth) / at.slot))
        const ends = spreadLabels(
          lines.map((line) => lastOf(line, at)),
          { gap: labelHeight, low: margin.top, high: height - margin.bottom },
        )
        return (
          <svg width={width} height={height} className={classes.plot} role="img" aria-label={label}>
            {axis.ticks.map((tick) => (
              <g key={tick} transform={`translate(0 ${at.y(tick)})`}>
                <line x1={margin.left} x2={width - room} className={classes.grid} />
                <text x={margin.left - 8} dy="0.32em" textAnchor="end">
                  {format(tick)}
                </text>
              </g>
            ))}
            {xs.map(
              (x, place) =>
                place % every === 0 && (
                  <text key={x} x={at.x(place, (lines.length - 1) / 2)} y={height - 8} textAnchor="middle">
                    {names[place]}
                  </text>
                ),
            )}
            {lines.map((line, place) => (
              <Line
                key={line.label}
                {...{ line, place, xs, measured, at }}
                series={series.get(line.label) ?? 0}
                name={shortLabel(line.label, letters)}
                nameAt={{ x: width - room + 8, y: ends[place] ?? null }}
              />
            ))}
          </svg>
        )
      }}
    </ChartFrame>
  )
}

type At = { x: (step: number, line: number) => number; y: (value: number) => number; slot: number }

type Room = { width: number; height: number; xs: readonly string[]; lines: number; axis: Axis }

/** Lines stand a few pixels apart, so that intervals of one version do not cover each other. */
function placesOf({ width, height, xs, lines, axis: { low, high } }: Room): At {
  const slot = width / xs.length
  const apart = Math.min(10, (slot * 0.6) / Math.max(1, lines))
  const yOf = (value: number) =>
    height - margin.bottom - ((value - low) / (high - low)) * (height - margin.top - margin.bottom)
  return {
    slot,
    x: (step, line) => margin.left + slot * (step + 0.5) + (line - (lines - 1) / 2) * apart,
    // An interval of few runs may be far wider than the values, so it ends at the edge of the plot.
    y: (value) => Math.max(margin.top - 4, Math.min(height - margin.bottom, yOf(value))),
  }
}

/** Where a line ends, which is where its name would best stand. */
function lastOf({ places }: TrendLine, at: At) {
  const value = places.findLast((place) => place.value !== null)?.value ?? null
  return value === null ? null : at.y(value)
}

type LineProps = {
  line: TrendLine
  /** Its index among the lines. */
  place: number
  series: number
  xs: readonly string[]
  /** Where any group has a value. */
  measured: ReadonlySet<string>
  at: At
  name: string
  nameAt: { x: number; y: number | null }
}

function Line({ line, place, series, xs, measured, at, name, nameAt }: LineProps) {
  const placeOf = new Map(line.places.map((one) => [one.x, one]))
  const pieces = splitAtGaps(
    xs.flatMap((x, step) => {
      const { value = null, interval = null, words = '' } = placeOf.get(x) ?? {}
      if (!measured.has(x)) return []
      return value === null ? [null] : [{ x: at.x(step, place), y: at.y(value), interval, words }]
    }),
  )
  const points = pieces.flat()
  const last = points.at(-1)
  return (
    <g style={{ color: seriesColor(series) }}>
      {pieces.map((piece) => (
        <polyline key={piece[0]?.x} points={piece.map(({ x, y }) => `${x},${y}`).join(' ')} className={classes.line} />
      ))}
      {points.map(({ x, y, interval, words }) => (
        <g key={x}>
          <title>{words}</title>
          {interval && (
            <line x1={x} x2={x} y1={at.y(interval.low)} y2={at.y(interval.high)} className={classes.interval} />
          )}
          <path d={seriesSymbol(series)} transform={`translate(${x} ${y})`} className={classes.point} />
        </g>
      ))}
      {last && nameAt.y !== null && (
        <>
          <path d={`M${last.x + 9} ${last.y}L${nameAt.x - 4} ${nameAt.y}`} className={classes.leader} />
          <text x={nameAt.x} y={nameAt.y} dy="0.32em" className={classes.label}>
            <title>{line.label}</title>
            {name}
          </text>
        </>
      )}
    </g>
  )
}
