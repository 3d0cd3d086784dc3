import type { Schedule } from '#contract/schedules.ts'
import { usd } from '#src/format/money.ts'
import { triggerText } from '#src/shared/schedules/recurrence.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { Outcome } from './Outcome.tsx'
import classes from './schedules.module.css'

const name: Column<Schedule> = {
  id: 'name',
  header: 'Schedule',
  cell: ({ name, trigger }) => (
    <span className={classes.name}>
      <span className={classes.title}>{name}</span>
      <span className={classes.when}>{triggerText(trigger)}</span>
    </span>
  ),
  value: ({ name }) => name,
}

const experiment: Column<Schedule> = {
  id: 'experiment',
  header: 'Experiment',
  value: ({ experimentName }) => experimentName,
  width: '176px',
  from: 'md',
}

const rest: Column<Schedule>[] = [
  {
    id: 'last',
    header: 'Last start',
    cell: ({ lastStart }) =>
      lastStart ? <Outcome start={lastStart} /> : <span className={mutedText.plain}>none yet</span>,
    value: ({ lastStart }) => lastStart?.startedAt ?? null,
    width: '224px',
  },
  {
    id: 'next',
    header: 'Next',
    cell: ({ nextAt, isEnabled, trigger }) =>
      nextAt ? (
        <RelativeTime at={nextAt} isPlanned />
      ) : (
        <span className={mutedText.plain}>{isEnabled && trigger.kind === 'push' ? 'next version' : 'paused'}</span>
      ),
    value: ({ nextAt }) => nextAt,
    width: '96px',
    from: 'sm',
  },
  {
    id: 'budget',
    header: 'Model calls this month',
    cell: ({ spentThisMonthUsd, monthlyBudgetUsd }) =>
      monthlyBudgetUsd === null ? usd(spentThisMonthUsd) : `${usd(spentThisMonthUsd)} of ${usd(monthlyBudgetUsd)}`,
    value: ({ spentThisMonthUsd }) => spentThisMonthUsd,
    align: 'right',
    width: '168px',
    from: 'md',
  },
  { id: 'owner', header: 'Owner', value: ({ owner }) => owner.name, width: '136px', from: 'lg' },
]

export const columnsOfExperiment: Column<Schedule>[] = [name, ...rest]

export const columnsOfAll: Column<Schedule>[] = [name, experiment, ...rest]
