import type { SpendRow } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { credit } from '#src/format/money.ts'
import { paths } from '#src/paths.ts'
import type { Column } from '#src/ui/table/column.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { Bar } from './BucketList.tsx'

type ColumnOptions = { groupBy: 'experiment' | 'user'; includeByok: boolean; largest: number }

/** Spend columns. Each row links to its runs and has a bar. */
export function spendColumns({ groupBy, includeByok, largest }: ColumnOptions): Column<SpendRow>[] {
  const runsOf = (key: string) =>
    groupBy === 'user' ? paths.runs({ triggered_by: key }) : paths.experiment(key, 'runs')
  const columns: Column<SpendRow>[] = [
    {
      id: 'label',
      header: groupBy === 'user' ? 'Person' : 'Experiment',
      cell: ({ key, label }) => <TextLink href={runsOf(key)}>{label}</TextLink>,
      value: ({ label }) => label,
    },
    {
      id: 'bar',
      header: 'Share',
      cell: ({ managedSpendMicros }) => <Bar share={largest > 0 ? dollarsOf(managedSpendMicros) / largest : 0} />,
      from: 'sm',
    },
    {
      id: 'managed',
      header: 'Spend',
      cell: ({ managedSpendMicros }) => credit(managedSpendMicros),
      value: ({ managedSpendMicros }) => dollarsOf(managedSpendMicros),
      align: 'right',
      width: '96px',
    },
  ]
  if (!includeByok) return columns
  return [
    ...columns,
    {
      id: 'byok',
      header: 'Own keys',
      cell: ({ byokAttributionMicros }) => credit(byokAttributionMicros),
      value: ({ byokAttributionMicros }) => dollarsOf(byokAttributionMicros),
      align: 'right',
      width: '96px',
    },
  ]
}
