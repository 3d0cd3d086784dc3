import { useQuery, useSuspenseQuery } from '@tanstack/react-query'

import type { CreditBalance } from '#contract/credits.ts'
import type { HomeView } from '#contract/home.ts'
import { microsPerDollar } from '#contract/wire/micros.ts'
import { balanceOptions } from '#src/api/credits.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { credit } from '#src/format/money.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './home.module.css'

/** Errored runs, low credit and undecided suggestions; nothing if all is well. */
export function NeedsAttention({ attention }: { attention: HomeView['attention'] }) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { data: balance } = useQuery({ ...balanceOptions(), enabled: permissionsOf(caller).readBalance })
  const { erroredRequests, pendingSuggestions = [] } = attention
  const isLow = balance !== undefined && isLowCredit(balance)
  if (erroredRequests.length + pendingSuggestions.length === 0 && !isLow) return null
  return (
    <Section title="Needs attention">
      <ul className={classes.news} aria-label="Needs attention">
        {isLow && (
          <li className={classes.item}>
            <p>
              <TextLink href={paths.credits()}>{credit(balance.totalBalanceMicros)} of credit</TextLink> is left. Runs
              that it does not cover are refused.
            </p>
          </li>
        )}
        {erroredRequests.map(({ id, experimentName, ordinal, erroredCount, runCount, endedAt }) => (
          <li key={id} className={classes.item}>
            <p>
              <TextLink href={paths.run(id, { status: 'errored' })}>
                {erroredCount} of {counted(runCount, 'run')}
              </TextLink>{' '}
              of {experimentName} v{ordinal} errored
            </p>
            <span className={classes.when}>
              <RelativeTime at={endedAt} />
            </span>
          </li>
        ))}
        {pendingSuggestions.map(({ id, kind, targetId, author }) => (
          <li key={id} className={classes.item}>
            <p>
              {author.name} suggests <TextLink href={paths.contextSuggestions({ suggestion: id })}>a change</TextLink>{' '}
              to the {kind.replace('_', ' ')} {targetId}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Below a tenth of what the cycle was funded with, or below one dollar. */
function isLowCredit({ totalBalanceMicros, cycleFundedMicros }: CreditBalance) {
  const left = BigInt(totalBalanceMicros)
  return left < microsPerDollar || left * 10n < BigInt(cycleFundedMicros)
}
