import type { Usage, UsageRow } from '#contract/usage.ts'
import { Swatch } from '#src/charts/Swatch.tsx'
import { colorOfOthers } from '#src/charts/series.ts'
import { usd } from '#src/format/money.ts'
import { count, percent, tokens } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { seriesOf } from './usage-bars.ts'
import classes from './usage.module.css'
import { changeOf, costOf, type Payer, runsBehind } from './usage-view.ts'
import { changeWords, groupingNames, lengthWords, groupName } from './usage-words.ts'

/** A row per value of the grouping. Its name leads to its runs. */
export function usageColumns(usage: Usage, paid: Payer): Column<UsageRow>[] {
  const total = costOf(usage.totals, paid)
  const colors = new Map(seriesOf(usage, paid).map(({ key, color }) => [key, color]))
  const intervalOf = (key: string) =>
    usage.groupBy === 'day' ? usage.intervals.find(({ from }) => from === key) : undefined
  const costColumn = (id: string, header: string, hint: string, payer: Payer): Column<UsageRow> => ({
    id,
    header,
    hint,
    cell: (row) => usd(costOf(row, payer)),
    value: (row) => costOf(row, payer),
    align: 'right',
    width: '96px',
  })
  const changed = (row: UsageRow) => row.previous && changeOf(costOf(row, paid), costOf(row.previous, paid))
  const columns: Column<UsageRow>[] = [
    {
      id: 'name',
      header: usage.intervalUnit === 'month' && usage.groupBy === 'day' ? 'Month' : groupingNames[usage.groupBy],
      cell: (row) => (
        <span className={classes.name}>
          {usage.groupBy !== 'day' && <Swatch series={colors.get(row.key) ?? colorOfOthers} />}
          <TextLink href={runsBehind(usage, row.key, intervalOf(row.key))}>{groupName(usage, row)}</TextLink>
        </span>
      ),
      value: (row) => (usage.groupBy === 'day' ? row.key : groupName(usage, row)),
    },
    {
      id: 'runs',
      header: 'Runs',
      hint: 'Runs that ended in this period. Mock and imported runs cost nothing and are not counted.',
      cell: ({ runs }) => count(runs),
      value: ({ runs }) => runs,
      align: 'right',
      width: '80px',
    },
    { ...tokenColumn('inputTokens', 'Tokens in'), from: 'md' },
    {
      ...tokenColumn('cachedTokens', 'Cached'),
      hint: 'Input tokens that the provider read from its cache',
      from: 'md',
    },
    { ...tokenColumn('outputTokens', 'Tokens out'), from: 'md' },
    costColumn('cost', 'Cost', 'Follows the “Paid with” filter', paid),
    {
      id: 'share',
      header: 'Share',
      cell: (row) => percent(total > 0 ? costOf(row, paid) / total : null),
      value: (row) => (total > 0 ? costOf(row, paid) / total : null),
      align: 'right',
      width: '72px',
      from: 'sm',
    },
    {
      id: 'per-run',
      header: 'Per run',
      cell: (row) => usd(row.runs > 0 ? costOf(row, paid) / row.runs : null),
      value: (row) => (row.runs > 0 ? costOf(row, paid) / row.runs : null),
      align: 'right',
      width: '88px',
      from: 'sm',
    },
    {
      id: 'change',
      header: 'Change',
      hint: `Compared with the previous ${lengthWords(usage)}`,
      cell: (row) => changeWords(changed(row), costOf(row, paid)),
      value: changed,
      align: 'right',
      width: '88px',
      from: 'sm',
    },
    { ...costColumn('credit', 'Credit', 'Compute, and models on the platform’s keys', 'credit'), from: 'lg' },
    {
      ...costColumn('own', 'Own keys', 'Model calls with your own keys, billed by their providers', 'own'),
      from: 'lg',
    },
  ]
  return columns.filter(({ id }) => id !== 'change' || usage.groupBy !== 'day')
}

const tokenColumn = (id: 'inputTokens' | 'cachedTokens' | 'outputTokens', header: string): Column<UsageRow> => ({
  id,
  header,
  cell: (row) => tokens(row[id]),
  value: (row) => row[id],
  align: 'right',
  width: '88px',
})
