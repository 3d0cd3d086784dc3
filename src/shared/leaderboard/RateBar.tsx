import type { Rate } from '#statistics/leaderboard/rate-interval.ts'
import { counted, emptyValue, fixedPercent } from '#src/format/numbers.ts'
import classes from './RateBar.module.css'

type Props = {
  rate: Rate
  /** What the rate is over, in the tooltip. */
  extent?: string
  /** The rate of the group that the others are compared with, a line across the rows. */
  baseline?: number | null
  /** Whether the ends of the interval are written beside the bar. */
  hasRange?: boolean
}

/** A rate as a number and a bar, with a whisker from end to end of its 95 % interval. */
export function RateBar({ rate: { share, interval, runs }, extent, baseline = null, hasRange = true }: Props) {
  if (share === null) return <span className={classes.none}>{emptyValue}</span>
  const exact = `${Number((share * 100).toFixed(2))} % ${extent ?? `of ${counted(runs, 'run')}`}`
  const words = interval ? `${exact}, 95 % CI ${rangeOf(interval)} %` : `${exact}, no interval`
  return (
    <span className={classes.root} title={words}>
      <span className={classes.share}>{fixedPercent(share)}</span>
      <span className={classes.track} aria-hidden>
        <span className={classes.bar} style={{ width: at(share) }} />
        {baseline !== null && <span className={classes.baseline} style={{ left: at(baseline) }} />}
        {interval && (
          <span
            className={classes.whisker}
            style={{ left: at(interval.low), right: `calc(100% - ${at(interval.high)})` }}
          />
        )}
      </span>
      {hasRange && <span className={classes.range}>{interval ? rangeOf(interval) : ''}</span>}
    </span>
  )
}

const at = (share: number) => `${share * 100}%`

/** `48.9 to 68.6`, in percent. */
const rangeOf = ({ low, high }: { low: number; high: number }) =>
  `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`
