import { Skeleton } from '@mantine/core'
import { useSearchParams } from 'react-router'

import type { ChartGroupBy } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import type { Flip } from '#statistics/leaderboard/flips.ts'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { Section } from '#src/ui/Section.tsx'
import { flipQuery } from './trend-parameters.ts'

type Props = {
  flips: readonly Flip[]
  /** What the tests are grouped by: the axes of the trends, then the version. */
  groupBy: ChartGroupBy
  isLoading: boolean
}

/** The tests that passed in every run of one version and fail in the next, and those that are fixed. */
export function FlipTable({ flips, groupBy, isLoading }: Props) {
  const [search] = useSearchParams()
  const regressions = flips.filter(({ kind }) => kind === 'regression').length
  return (
    <Section title={`Regressions (${regressions}) and fixes (${flips.length - regressions})`}>
      {isLoading ? (
        <Skeleton height={120} />
      ) : (
        <DataTable
          label="regressions and fixes"
          columns={columns}
          rows={flips.toSorted((a, b) => order(a) - order(b) || b.failed - a.failed)}
          rowId={({ group, test }) => `${group} ${test}`}
          rowHref={(flip) => `?${flipQuery(search, flip, groupBy)}`}
          error={null}
          onRetry={() => {}}
          empty={{
            title: 'No test flipped',
            hint: 'A test flips if it passed in every run of one version and fails in the next, or the reverse.',
          }}
        />
      )}
    </Section>
  )
}

const order = ({ kind }: Flip) => (kind === 'regression' ? 0 : 1)

const columns: readonly Column<Flip>[] = [
  { id: 'test', header: 'Test', value: ({ test }) => test },
  {
    id: 'group',
    header: 'Group',
    value: ({ group }) => groupLabel(group),
    width: 'clamp(72px, 22cqw, 240px)',
  },
  {
    id: 'flip',
    header: 'What changed',
    cell: ({ kind, version, since, failed, counted }) =>
      kind === 'regression'
        ? `since ${version}: fails in ${failed} of ${counted} runs`
        : `since ${version}: passes; failed in ${failed} of ${counted} runs of ${since}`,
    value: ({ kind }) => kind,
    width: 'clamp(140px, 44cqw, 300px)',
  },
]
