import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { shortLabel } from '#src/charts/place-labels.ts'
import { seriesColor, seriesSymbol } from '#src/charts/series.ts'
import classes from './TrendPlot.module.css'

type Place = { x: string; value: number | null; interval: { low: number; high: number } | null; words: string }
export type TrendLine = { label: string; places: readonly Place[] }

type Props = {
  label: string
  /** The names on the X axis, in order. */
  xs: readonly string[]
  lines: readonly TrendLine[]
  format: (value: number) => string
}

const height = 320
const margin = { top: 12, bottom: 28, left: 52 }
/** The room for a line's name, and the letters that fit, on a wide screen and on a phone. */
const wide = { room: 168, letters: 22 }
const narrow = { room: 84, letters: 11 }
const ticks = [0, 0.25, 0.5, 0.75, 1]

/** Shares from 0 to 1 over versions: a line per group, each point with its 95 % interval. */
export function TrendPlot({ label, xs, lines, format }: Props) {
  return (
    <ChartFrame label={label} height={height} hint={null}>
      {({ size: { width } }) => {
        const { room, letters } = width < 560 ? narrow : wide
        const at = placesOf({ width: width - margin.left - room, xs, lines: lines.length })
        return (
          <svg width={width} height={height} className={classes.plot} role="img" aria-label={label}>
            {ticks.map((tick) => (
              <g key={tick} transform={`translate(0 ${at.y(tick)})`}>
                <line x1={margin.left} x2={width - room} className={classes.grid} />
                <text x={margin.left - 8} dy="0.32em" textAnchor="end">
                  {format(tick)}
                </text>
              </g>
            ))}
            {xs.map((x, place) => (
              <text key={x} x={at.x(place, (lines.length - 1) / 2)} y={height - 8} textAnchor="middle">
                {x}
              </text>
            ))}
            {lines.map((line, series) => (
              <Line key={line.label} line={line} series={series} xs={xs} at={at} letters={letters} />
            ))}
          </svg>
        )
      }}
    </ChartFrame>
  )
}

type At = { x: (place: number, series: number) => number; y: (value: number) => number }

/** Lines stand a few pixels apart, so that intervals of one version do not cover each other. */
function placesOf({ width, xs, lines }: { width: number; xs: readonly string[]; lines: number }): At {
  const slot = width / xs.length
  const apart = Math.min(10, (slot * 0.6) / Math.max(1, lines))
  return {
    x: (place, series) => margin.left + slot * (place + 0.5) + (series - (lines - 1) / 2) * apart,
    y: (value) => height - margin.bottom - value * (height - margin.top - margin.bottom),
  }
}

type LineProps = { line: TrendLine; series: number; xs: readonly string[]; at: At; letters: number }

function Line({ line, series, xs, at, letters }: LineProps) {
  const points = line.places.flatMap(({ x, value, interval, words }) =>
    value === null ? [] : [{ x: at.x(xs.indexOf(x), series), y: at.y(value), interval, words }],
  )
  const last = points.at(-1)
  return (
    <g style={{ color: seriesColor(series) }}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} className={classes.line} />
      {points.map(({ x, y, interval, words }) => (
        <g key={x}>
          <title>{words}</title>
          {interval && (
            <line x1={x} x2={x} y1={at.y(interval.low)} y2={at.y(interval.high)} className={classes.interval} />
          )}
          <path d={seriesSymbol(series)} transform={`translate(${x} ${y})`} className={classes.point} />
        </g>
      ))}
      {last && (
        <text x={last.x + 12} y={last.y} dy="0.32em" className={classes.label}>
          {shortLabel(line.label, letters)}
        </text>
      )}
    </g>
  )
}
