import { count, emptyValue, pointsText } from '#src/format/numbers.ts'
import { verdictWords } from '#src/leaderboard/trend-lines.ts'
import { RateBar } from '#src/leaderboard/RateBar.tsx'
import type { Trend, TrendStep } from '#src/statistics/leaderboard/trends.ts'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'

type Row = TrendStep & { group: string; label: string }

/** Every version of every group, newest first, beside the version before it. */
export function TrendTable({ trends }: { trends: readonly Trend[] }) {
  const rows = trends.flatMap(({ group, label, steps }) =>
    steps.map((step): Row => ({ ...step, group, label })).toReversed(),
  )
  return (
    <DataTable
      label="changes between versions"
      columns={columns}
      rows={rows}
      rowId={({ group, version }) => `${group} ${version}`}
      error={null}
      onRetry={() => {}}
      empty={{ title: 'No versions' }}
    />
  )
}

const columns: readonly Column<Row>[] = [
  { id: 'group', header: 'Group', value: ({ label }) => label },
  { id: 'version', header: 'Version', value: ({ version }) => version, width: '84px' },
  {
    id: 'solved',
    header: 'Solved',
    cell: ({ row }) => <RateBar rate={row.solved} />,
    value: ({ row }) => row.solved.share,
    width: 'clamp(140px, 42cqw, 252px)',
    from: 'sm',
  },
  {
    id: 'change',
    header: 'Change',
    cell: ({ change }) => (change ? `${pointsText(change.difference)} since ${change.since}` : emptyValue),
    value: ({ change }) => change?.difference ?? null,
    width: '160px',
  },
  {
    id: 'interval',
    header: '95 % CI',
    cell: ({ change }) =>
      change?.interval ? `${pointsText(change.interval.low)} to ${pointsText(change.interval.high)}` : emptyValue,
    width: '140px',
    from: 'md',
  },
  {
    id: 'verdict',
    header: 'Verdict',
    cell: ({ change }) => (change ? verdictWords[change.verdict] : 'first version'),
    value: ({ change }) => (change ? verdictWords[change.verdict] : null),
    width: '132px',
    from: 'sm',
  },
  {
    id: 'runs',
    header: 'Runs',
    cell: ({ row }) => count(row.counted),
    value: ({ row }) => row.counted,
    align: 'right',
    width: '72px',
    from: 'md',
  },
]
