import { useQuery, useSuspenseQuery } from '@tanstack/react-query'

import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { balanceOptions } from '#src/api/credits.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { calendarDay } from '#src/format/dates.ts'
import { credit, usd } from '#src/format/money.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './SubmitForm.module.css'

/** What is there to pay the price. `p90` is that of runs credit pays for, in USD; null while no variant has such a history. */
export function CreditLine({ p90 }: { p90: number | null }) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { readBalance } = permissionsOf(caller)
  const { data } = useQuery({ ...balanceOptions(), enabled: readBalance })
  if (!readBalance) {
    return (
      <span className={classes.credit}>
        Only admins see the balance. Runs that the credit does not cover are refused.
      </span>
    )
  }
  if (!data) return null
  const free = dollarsOf(data.totalBalanceMicros) - dollarsOf(data.heldMicros)
  return (
    <span className={classes.credit}>
      Credit free to spend: <b>{usd(free)}</b>
      {expiringWords(data)}.{' '}
      {p90 !== null && p90 > free && (
        <>
          <b>This may cost more than that.</b> <TextLink href={paths.topUp()}>Top up</TextLink>
        </>
      )}
    </span>
  )
}

/** Of credit that expires, the part that does so first is spent first. */
function expiringWords({ buckets }: CreditBalance) {
  const [next] = buckets
    .filter(({ expiresAt }) => expiresAt !== undefined)
    .toSorted((a, b) => (a.expiresAt ?? '').localeCompare(b.expiresAt ?? ''))
  return next?.expiresAt ? `, ${credit(next.balanceMicros)} of it until ${calendarDay(next.expiresAt)}` : ''
}
