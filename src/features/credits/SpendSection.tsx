import { SegmentedControl, Switch } from '@mantine/core'
import { type UseQueryResult, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { CreditSpend } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { isApiError } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { credit } from '#src/format/money.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Section } from '#src/ui/Section.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './credits.module.css'
import { spendColumns } from './spend-columns.tsx'
import type { SpendView } from './spend-view.ts'

type Props = { view: SpendView; spend: UseQueryResult<CreditSpend> }

/** The spend of a cycle. Usage on own keys has its own column and is never added. */
export function SpendSection({ view, spend }: Props) {
  const url = useQueryState()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { spendByUser } = permissionsOf(caller)
  const { data } = spend
  const { groupBy, includeByok } = view
  const columns = useMemo(() => {
    const largest = Math.max(0, ...(data?.series ?? []).map(({ managedSpendMicros }) => dollarsOf(managedSpendMicros)))
    return spendColumns({ groupBy, includeByok, largest })
  }, [data, groupBy, includeByok])
  if (isApiError(spend.error, 'not_found')) {
    return (
      <Section title="Spend">
        <EmptyState title="No billing cycle in this period" hint="Choose another cycle above." />
      </Section>
    )
  }
  return (
    <Section
      title={spendByUser ? 'Spend' : 'Spend on your own runs'}
      aside={data && <b className={classes.total}>{credit(data.totalManagedSpendMicros)}</b>}
    >
      <p className={mutedText.intro}>
        {data
          ? `Compute ${credit(data.totalComputeMicros)} and models on the platform’s keys ${credit(data.totalModelMicros)}.`
          : 'Credit covers compute and models on the platform’s keys.'}
        {data && includeByok && ` Plus ${credit(data.totalByokAttributionMicros)} billed by your own providers.`}
      </p>
      <DataTable
        label="spend by entry"
        columns={columns}
        rows={data?.series}
        rowId={({ key }) => key}
        error={spend.error}
        onRetry={() => void spend.refetch()}
        filters={
          <div className={classes.choices}>
            {spendByUser && (
              <SegmentedControl
                size="xs"
                aria-label="Group spend by"
                value={groupBy}
                onChange={(by) => url.set({ by: by === 'user' ? by : null })}
                data={[
                  { value: 'experiment', label: 'By experiment' },
                  { value: 'user', label: 'By person' },
                ]}
              />
            )}
            <Switch
              size="xs"
              label="Include usage on your own keys"
              checked={includeByok}
              onChange={(event) => url.set({ byok: event.currentTarget.checked ? '1' : null })}
            />
          </div>
        }
        empty={{
          title: 'No runs ended in this cycle',
          hint: 'Real runs appear here once they have ended. Mock runs cost nothing.',
        }}
      />
    </Section>
  )
}
