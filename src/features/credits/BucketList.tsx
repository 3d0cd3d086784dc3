import type { Bucket } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { calendarDay } from '#src/format/dates.ts'
import { credit } from '#src/format/money.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './credits.module.css'

const names = { base: 'Base credit', increment: 'Plan credit', on_demand: 'Top-up credit' }

/** Credit in the order in which it is spent. */
export function BucketList({ buckets }: { buckets: readonly Bucket[] }) {
  if (buckets.length === 0) return <p className={mutedText.intro}>No credit left.</p>
  // The bars compare buckets, so one bucket has none.
  const largest = buckets.length > 1 ? Math.max(...buckets.map(({ balanceMicros }) => dollarsOf(balanceMicros))) : 0
  return (
    <ol className={classes.buckets} aria-label="Credit in spending order">
      {buckets.map(({ kind, balanceMicros, expiresAt }) => {
        const isOwed = dollarsOf(balanceMicros) < 0
        return (
          <li key={`${kind} ${expiresAt}`} className={classes.bucket}>
            <span>{isOwed ? 'Overdraft' : names[kind]}</span>
            <span className={classes.amount}>{credit(balanceMicros)}</span>
            <span className={classes.expiry}>
              {isOwed
                ? 'repaid from your next credit'
                : expiresAt
                  ? `expires ${calendarDay(expiresAt)}`
                  : 'never expires'}
            </span>
            {largest > 0 && <Bar share={dollarsOf(balanceMicros) / largest} />}
          </li>
        )
      })}
    </ol>
  )
}

/** A bar; its number is next to it. */
export const Bar = ({ share }: { share: number }) => (
  <svg className={classes.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
    <rect width={Math.max(0, share * 100)} height="1" />
  </svg>
)
