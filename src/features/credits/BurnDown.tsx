import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { BalancePlot } from '#src/charts/balance/BalancePlot.tsx'
import { calendarDate, dayOfMonth } from '#src/format/dates.ts'
import { credit, usd } from '#src/format/money.ts'
import { counted } from '#src/format/numbers.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { balanceOutlook, type Forecast } from './balance-outlook.ts'
import classes from './credits.module.css'

type Props = {
  points: CreditBalance['burnDown']
  /** The credit of now; empty for a cycle of the past. */
  buckets: CreditBalance['buckets']
  start: string
  end: string
}

/** The day in UTC that ends at a time. */
const dayBefore = (at: number) => calendarDate(new Date(at - 1).toISOString())

/** The same without its year. */
const shortDayBefore = (at: number) => dayOfMonth(new Date(at - 1).toISOString())

function forecastWords({ perDay, days, emptyAt, line }: Forecast, end: number) {
  const pace = `At ${usd(perDay)} a day, as in the last ${counted(days, 'day')},`
  return emptyAt < end
    ? `${pace} it lasts until about ${calendarDate(new Date(emptyAt).toISOString())}.`
    : `${pace} about ${usd(line.at(-1)?.value ?? 0)} is left at the end of the cycle.`
}

/** Times in one cycle at which credit expires. */
const expiriesOf = (buckets: Props['buckets'], end: number) =>
  buckets.flatMap(({ balanceMicros, expiresAt }) => {
    const at = expiresAt === undefined ? Infinity : Date.parse(expiresAt)
    return at <= end && dollarsOf(balanceMicros) > 0 ? [{ at, name: `${credit(balanceMicros)} expires` }] : []
  })

/** The balance at the end of each day of the cycle, and how long it lasts. */
export function BurnDown({ points, buckets, start, end }: Props) {
  const { balances, grants, forecast } = balanceOutlook(points, Date.parse(end))
  const last = points.at(-1)
  // With only one day there is nothing to draw: its number is shown above.
  if (!last || points.length < 2) return null
  return (
    <div className={classes.burnDown}>
      <p className={mutedText.small}>Balance by day (UTC). {forecast && forecastWords(forecast, Date.parse(end))}</p>
      <BalancePlot
        label={`Balance from ${calendarDate(start)}, now ${credit(last.balanceMicros)}`}
        balances={balances}
        grants={grants}
        forecast={forecast && forecast.line}
        expiries={expiriesOf(buckets, Date.parse(end))}
        cycle={{ start: Date.parse(start), end: Date.parse(end) }}
        format={(value) => usd(value)}
        formatDay={dayBefore}
        formatTick={start.slice(0, 4) === end.slice(0, 4) ? shortDayBefore : dayBefore}
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
