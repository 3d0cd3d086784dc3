import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { BalancePlot } from '#src/charts/balance/BalancePlot.tsx'
import { calendarDate } from '#src/format/dates.ts'
import { credit, usd } from '#src/format/money.ts'
import classes from './credits.module.css'

type Props = { points: CreditBalance['burnDown']; start: string; end: string }

/** The day in UTC that ends at a time. */
const dayBefore = (at: number) => calendarDate(new Date(at - 1).toISOString())

/** The balance at the end of each day of the cycle. Future days are empty. */
export function BurnDown({ points, start, end }: Props) {
  const last = points.at(-1)
  // With only one day there is nothing to draw: its number is shown above.
  if (!last || points.length < 2) return null
  return (
    <div className={classes.burnDown}>
      <p className={classes.caption}>Balance by day (UTC)</p>
      <BalancePlot
        label={`Balance from ${calendarDate(start)}, now ${credit(last.balanceMicros)}`}
        balances={points.map(({ at, balanceMicros }) => ({ at: Date.parse(at), value: dollarsOf(balanceMicros) }))}
        cycle={{ start: Date.parse(start), end: Date.parse(end) }}
        format={(value) => usd(value)}
        formatDay={dayBefore}
      />
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
                <td>{dayBefore(Date.parse(at))}</td>
                <td>{usd(dollarsOf(balanceMicros))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}
