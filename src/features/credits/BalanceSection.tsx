import { useQuery } from '@tanstack/react-query'

import type { CreditBalance } from '#contract/credits.ts'
import { balanceOptions } from '#src/api/credits.ts'
import { isApiError } from '#src/api/errors.ts'
import { calendarDay } from '#src/format/dates.ts'
import { credit } from '#src/format/money.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { Section } from '#src/ui/Section.tsx'
import { BucketList } from './BucketList.tsx'
import { BurnDown } from './BurnDown.tsx'

/** The balance now, or at the end of the cycle. */
export function BalanceSection({ period }: { period: string | undefined }) {
  const { data, error, refetch } = useQuery(balanceOptions(period))
  return (
    <Section title="Balance">
      {error ? (
        isApiError(error, 'not_found') ? (
          <EmptyState title="No billing cycle in this period" hint="Choose another cycle above." />
        ) : (
          <ErrorNotice title="The balance could not be loaded" error={error} onRetry={() => void refetch()} />
        )
      ) : data ? (
        <Balance balance={data} />
      ) : (
        <LoadingArea label="Loading the balance" height={200} />
      )}
    </Section>
  )
}

function Balance({ balance }: { balance: CreditBalance }) {
  const isOpen = balance.asOf !== balance.periodEnd
  return (
    <>
      <FactBand>
        <Fact name={isOpen ? 'Balance' : `Balance on ${calendarDay(balance.asOf)}`}>
          <b>{credit(balance.totalBalanceMicros)}</b>
        </Fact>
        {isOpen && (
          <Fact name="Reserved for unfinished runs" title="Unused amounts are released when the runs finish">
            {credit(balance.heldMicros)}
          </Fact>
        )}
        <Fact name="Credited in this cycle">{credit(balance.cycleFundedMicros)}</Fact>
        <Fact name="Plan">{balance.plan === 'paid' ? 'Paid' : 'Free'}</Fact>
      </FactBand>
      <BucketList buckets={balance.buckets} />
      <BurnDown
        points={balance.burnDown}
        buckets={isOpen ? balance.buckets : []}
        start={balance.periodStart}
        end={balance.periodEnd}
      />
    </>
  )
}
