import { VisuallyHidden } from '@mantine/core'

import { niceAxis } from '#src/charts/nice-axis.ts'
import classes from './IntervalPlot.module.css'

/** A difference around zero, with its interval if it has one. */
export type IntervalRow = {
  label: string
  value: number | null
  interval: { low: number; high: number } | null
  isWhole: boolean
}

type Props = { label: string; rows: readonly IntervalRow[]; format: Format }

/** An amount as precise as the amounts beside it. */
type Format = (value: number, beside?: readonly number[]) => string

/** Differences on one axis around zero: the total with its 95 % confidence interval, its parts as dots. */
export function IntervalPlot({ label, rows, format }: Props) {
  const values = rows.flatMap(({ value, interval }) => [value ?? 0, interval?.low ?? 0, interval?.high ?? 0])
  const axis = niceAxis(Math.min(0, ...values), Math.max(0, ...values))
  const at = (value: number) => `${(100 * (value - axis.low)) / (axis.high - axis.low)}%`
  return (
    <figure className={classes.plot}>
      {rows.map((row) => (
        <div key={row.label} className={classes.row} data-whole={row.isWhole || undefined}>
          <span className={classes.label} title={row.label} aria-hidden>
            {row.label}
          </span>
          <VisuallyHidden>{describe(row, format)}</VisuallyHidden>
          <span className={classes.track} aria-hidden>
            <span className={classes.zero} style={{ left: at(0) }} />
            {row.interval && (
              <span
                className={classes.interval}
                style={{ left: at(row.interval.low), right: `calc(100% - ${at(row.interval.high)})` }}
              />
            )}
            {row.value !== null && (
              <span className={classes.value} style={{ left: at(row.value) }} title={describe(row, format)} />
            )}
          </span>
        </div>
      ))}
      <div className={classes.row}>
        <span className={classes.label} />
        <span className={classes.ticks} aria-hidden>
          {axis.ticks.map((tick) => (
            <span key={tick} className={classes.tick} style={{ left: at(tick) }}>
              {tick === 0 ? '0' : format(tick, axis.ticks)}
            </span>
          ))}
        </span>
      </div>
      <figcaption className={classes.caption}>{label}</figcaption>
    </figure>
  )
}

function describe({ label, value, interval }: IntervalRow, format: Format) {
  if (value === null) return `${label}: no value`
  return `${label}: ${format(value)}${interval ? `, 95 % CI ${endsOf(interval, format)}` : ''}`
}

const endsOf = ({ low, high }: { low: number; high: number }, format: Format) =>
  [low, high].map((end) => format(end, [low, high])).join(' to ')
