import { Button, NativeSelect } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { useState } from 'react'

import { balanceOptions, spendOptions } from '#src/api/credits.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { queryClient } from '#src/api/query-client.ts'
import { calendarDay } from '#src/format/dates.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { BalanceSection } from './BalanceSection.tsx'
import { BudgetsSection } from './BudgetsSection.tsx'
import { Payments } from './Payments.tsx'
import { PaymentsSection } from './PaymentsSection.tsx'
import { readSpendView, latestMonths } from './spend-view.ts'
import { SpendSection } from './SpendSection.tsx'
import { TopUpForm } from './TopUpForm.tsx'

export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const permissions = permissionsOf(await queryClient.ensureQueryData(whoamiOptions()))
  const view = readSpendView((name) => searchParams.get(name) ?? '', permissions)
  void queryClient.prefetchQuery(spendOptions(view))
  if (permissions.readBalance) void queryClient.prefetchQuery(balanceOptions(view.period))
  return null
}

/** Admins see the balance and all spend and can top up. Members see the spend on their own runs. */
export function Component() {
  const url = useQueryState()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const permissions = permissionsOf(caller)
  const { readBalance, reloadCredits, manageOrganization } = permissions
  const view = readSpendView(url.one, permissions)
  const spend = useQuery(spendOptions(view))
  const cycle = spend.error ? undefined : spend.data
  return (
    <>
      <title>Credits · Assay</title>
      <PageHeader
        title="Credits"
        facts={
          <>
            {cycle && `Billing cycle ${calendarDay(cycle.periodStart)} to ${calendarDay(cycle.periodEnd)}. `}
            {!readBalance && 'You see the cost of your own runs. Only admins can see and top up the balance.'}
          </>
        }
        actions={
          <>
            <PeriodSelect value={view.period ?? ''} onChange={(period) => url.set({ period })} />
            <Button component={Link} to={paths.usage()} variant="default">
              Usage
            </Button>
            {reloadCredits && (
              <Button component={Link} to={paths.topUp()} leftSection={<IconPlus size={14} aria-hidden />}>
                Top up
              </Button>
            )}
          </>
        }
      />
      {reloadCredits && <Payments arrivedFrom={url.one('top_up')} onClose={() => url.set({ top_up: null })} />}
      {readBalance && <BalanceSection period={view.period} />}
      <SpendSection view={view} spend={spend} />
      {manageOrganization && <BudgetsSection />}
      {reloadCredits && <PaymentsSection />}
      {reloadCredits && <TopUpDialog />}
    </>
  )
}

type Props = { value: string; onChange: (period: string | null) => void }

/** Selects the cycle. A linked month that is not recent stays in the list. */
function PeriodSelect({ value, onChange }: Props) {
  const [months] = useState(() => latestMonths(new Date()))
  const known = [{ value: '', label: 'Current cycle' }, { value: 'previous', label: 'Previous cycle' }, ...months]
  const choices = known.some((choice) => choice.value === value) ? known : [...known, { value, label: value }]
  return (
    <NativeSelect
      size="xs"
      aria-label="Billing cycle"
      data={choices}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}

/** Open while the URL has `add`. */
function TopUpDialog() {
  const url = useQueryState()
  return (
    <Dialog opened={url.one('add') !== ''} onClose={() => url.push({ add: null })} title="Top up credit">
      <TopUpForm />
    </Dialog>
  )
}
