import type { Budget } from '#contract/budgets.ts'
import { usd } from '#src/format/money.ts'
import { percent } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { BudgetActions } from './BudgetActions.tsx'
import { budgetName } from './budget-names.ts'
import classes from './budgets.module.css'

const kinds = {
  organization: 'All runs',
  person: 'Runs of this person',
  experiment: 'Runs of this experiment',
  provider: 'Runs that use this provider’s models',
}

export const budgetColumns: Column<Budget>[] = [
  {
    id: 'name',
    header: 'Budget of',
    cell: (budget) => (
      <span className={classes.name}>
        <span className={classes.who}>{budgetName(budget)}</span>
        <span className={mutedText.small}>
          {kinds[budget.scope]}, {budget.isHard ? 'hard' : 'soft'}
        </span>
      </span>
    ),
    value: budgetName,
  },
  {
    id: 'share',
    header: 'Used',
    cell: ({ spentUsd, monthlyLimitUsd }) => {
      const share = spentUsd / monthlyLimitUsd
      return (
        <svg
          className={classes.meter}
          data-tone={share >= 1 ? 'over' : undefined}
          viewBox="0 0 100 1"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${percent(share, 0)} spent`}
        >
          <rect width="100" height="1" />
          <rect width={Math.min(100, share * 100)} height="1" />
        </svg>
      )
    },
    width: '160px',
    from: 'md',
  },
  {
    id: 'spent',
    header: 'Spent this month',
    cell: ({ spentUsd, monthlyLimitUsd }) => `${usd(spentUsd)} of ${usd(monthlyLimitUsd)}`,
    value: ({ spentUsd }) => spentUsd,
    align: 'right',
    width: '136px',
  },
  {
    id: 'reserved',
    header: 'Reserved',
    hint: 'For runs that have not ended',
    cell: ({ reservedUsd }) => usd(reservedUsd),
    value: ({ reservedUsd }) => reservedUsd,
    align: 'right',
    width: '96px',
    from: 'md',
  },
  {
    id: 'forecast',
    header: 'Forecast',
    hint: 'What the month will cost if spending continues as in the last seven days',
    cell: ({ forecastUsd, monthlyLimitUsd }) => (
      <span className={forecastUsd > monthlyLimitUsd ? classes.over : undefined}>{usd(forecastUsd)}</span>
    ),
    value: ({ forecastUsd }) => forecastUsd,
    align: 'right',
    width: '96px',
    from: 'sm',
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (budget) => <BudgetActions budget={budget} />,
    align: 'right',
    width: '72px',
  },
]
