import { useQuery, useSuspenseQuery } from '@tanstack/react-query'

import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { balanceOptions } from '#src/api/credits.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { type Submission, runEstimateOptions } from '#src/api/runs.ts'
import { calendarDay } from '#src/format/dates.ts'
import { credit, usd } from '#src/format/money.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './SubmitForm.module.css'

type Props = {
  submission: Submission
  /** False if no variant is selected: a submission without selectors is the whole matrix. */
  hasVariants: boolean
  /** The estimated price in USD of runs paid with credit; null if no variant has a history. */
  p90: number | null
}

/** The credit that the platform would reserve for the runs, and the available credit. */
export function CreditLine({ submission, hasVariants, p90 }: Props) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { readBalance } = permissionsOf(caller)
  const { data } = useQuery({ ...balanceOptions(), enabled: readBalance })
  const { data: estimate } = useQuery({ ...runEstimateOptions(submission), enabled: hasVariants })
  const held = hasVariants && estimate ? dollarsOf(estimate.heldMicros) : undefined
  const holds = held !== undefined && (
    <>Reserves {held > 0 ? <b>{usd(held)}</b> : 'no credit'} until the runs finish. </>
  )
  if (!readBalance) {
    return (
      <span className={classes.credit}>
        {holds}
        Only admins can see the balance. Runs are rejected if the credit doesn’t cover them.
      </span>
    )
  }
  if (!data) return null
  const free = dollarsOf(data.totalBalanceMicros) - dollarsOf(data.heldMicros)
  const isShort = (held ?? 0) > free || (p90 !== null && p90 > free)
  return (
    <span className={classes.credit}>
      {holds}
      Available: <b>{usd(free)}</b>
      {expiringWords(data)}.{' '}
      {isShort && (
        <>
          <b>
            {held !== undefined && held > free
              ? 'Not enough credit to reserve.'
              : 'The estimate exceeds your available credit.'}
          </b>{' '}
          <TextLink href={paths.topUp()}>Top up</TextLink>
        </>
      )}
    </span>
  )
}

/** Credit that expires first is spent first. */
function expiringWords({ buckets }: CreditBalance) {
  const [next] = buckets
    .filter(({ expiresAt }) => expiresAt !== undefined)
    .toSorted((a, b) => (a.expiresAt ?? '').localeCompare(b.expiresAt ?? ''))
  return next?.expiresAt ? ` (${credit(next.balanceMicros)} expires ${calendarDay(next.expiresAt)})` : ''
}
