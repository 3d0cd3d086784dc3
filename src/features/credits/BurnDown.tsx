import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { calendarDay } from '#src/format/dates.ts'
import { credit, usd } from '#src/format/money.ts'
import { burnDownShape } from './burn-down-shape.ts'
import classes from './credits.module.css'

type Props = { points: CreditBalance['burnDown']; start: string; end: string }

/** The balance at the end of each day of the cycle. Future days are empty. */
export function BurnDown({ points, start, end }: Props) {
  const last = points.at(-1)
  // With only one day there is nothing to draw: its number is shown above.
  if (!last || points.length < 2) return null
  const { area, line, top, bottom, zero } = burnDownShape(points, { start, end })
  return (
    <figure className={classes.burnDown}>
      <figcaption className={classes.caption}>Balance by day</figcaption>
      <div className={classes.plot}>
        <span className={classes.top}>{usd(top)}</span>
        {bottom < 0 && <span className={`${classes.top} ${classes.bottom}`}>{usd(bottom)}</span>}
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={`Balance from ${calendarDay(start)}, now ${credit(last.balanceMicros)}`}
        >
          <path d={`M0,${zero}H100`} className={classes.zero} />
          <path d={area} className={classes.area} />
          <path d={line} className={classes.line} />
        </svg>
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{calendarDay(start)}</span>
        <span>{calendarDay(end)}</span>
      </div>
      <details className={classes.twin}>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Until</th>
              <th scope="col">Balance</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, balanceMicros }) => (
              <tr key={at}>
                <td>{calendarDay(new Date(Date.parse(at) - 1).toISOString())}</td>
                <td>{usd(dollarsOf(balanceMicros))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
