import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { budgetListOptions } from '#src/api/budgets.ts'
import { calendarDate } from '#src/format/dates.ts'
import { paths } from '#src/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Section } from '#src/ui/Section.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { BudgetForm } from './BudgetForm.tsx'
import { budgetColumns } from './budget-columns.tsx'

/** What runs may cost in a month, for admins. */
export function BudgetsSection() {
  const url = useQueryState()
  const { data, error, refetch } = useQuery(budgetListOptions())
  const wanted = url.one('budget')
  const changed = data?.budgets.find(({ id }) => id === wanted)
  const close = () => url.push({ budget: null })
  return (
    <Section
      title="Budgets"
      aside={
        <Button component={Link} to={paths.budget()} size="xs" variant="default">
          New budget
        </Button>
      }
    >
      <p className={mutedText.intro}>
        A hard budget refuses real runs that would exceed it, counting what unfinished runs reserve. A soft one only
        warns.
        {data && ` This month ends on ${calendarDate(data.monthEndsAt)} at 00:00 UTC.`}
      </p>
      <DataTable
        label="monthly budgets"
        columns={budgetColumns}
        rows={data?.budgets}
        rowId={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={{ title: 'No budgets yet', hint: 'Without one, runs are limited only by the credit.' }}
      />
      {(wanted === 'new' || changed) && (
        <Dialog opened onClose={close} title={changed ? 'Edit budget' : 'New budget'}>
          <BudgetForm key={wanted} budget={changed} onSaved={close} />
        </Dialog>
      )}
    </Section>
  )
}
