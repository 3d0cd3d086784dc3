import { Skeleton } from '@mantine/core'
import { useSearchParams } from 'react-router'

import type { ChartGroupBy } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import classes from '#src/features/results/view/ResultsTab.module.css'
import leaderboard from '#src/shared/leaderboard/Leaderboard.module.css'
import { formatP } from '#src/format/p-values.ts'
import { counted } from '#src/format/numbers.ts'
import type { Failures, Flip } from '#statistics/leaderboard/flips.ts'
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

/** The tests that fail more or less often in the newest version, those that changed by more than chance first. */
export function FlipTable({ flips, groupBy, isLoading }: Props) {
  const [search] = useSearchParams()
  const countOf = (one: Flip['kind']) => flips.filter(({ kind, isShown }) => isShown && kind === one).length
  const mayBeChance = flips.filter(({ isShown }) => !isShown).length
  return (
    <Section title={`Regressions (${countOf('regression')}) and fixes (${countOf('fix')})`}>
      {mayBeChance > 0 && (
        <p className={classes.legend}>
          {counted(mayBeChance, 'more test')} may differ only by chance: too few runs changed, given how many tests
          there are.
        </p>
      )}
      {isLoading ? (
        <Skeleton height={120} />
      ) : (
        <DataTable
          label="regressions and fixes"
          columns={columns}
          rows={flips.toSorted((a, b) => order(a) - order(b) || a.adjustedP - b.adjustedP)}
          rowId={({ group, test }) => `${group} ${test}`}
          rowHref={(flip) => `?${flipQuery(search, flip, groupBy)}`}
          empty={{
            title: 'No test flipped',
            hint: 'A test flips if it passed in every run of one version and fails in the next, or the reverse, and if it fails clearly more or less often.',
          }}
        />
      )}
    </Section>
  )
}

const ofRuns = ({ failed, counted: runs }: Failures) => `${failed} of ${runs}`

const order = ({ kind, isShown }: Flip) => (isShown ? 0 : 2) + (kind === 'regression' ? 0 : 1)

const columns: readonly Column<Flip>[] = [
  {
    id: 'test',
    header: 'Test',
    cell: ({ test }) => <span className={classes.wrapped}>{test}</span>,
    value: ({ test }) => test,
  },
  {
    id: 'group',
    header: 'Group',
    value: ({ group }) => groupLabel(group),
    width: 'clamp(72px, 22cqw, 240px)',
  },
  {
    id: 'flip',
    header: 'What changed',
    hint: 'Failures in the newest version and in the one before it',
    cell: ({ version, since, now, before }) => (
      <span className={leaderboard.difference}>
        {version}: fails {ofRuns(now)} <small>{`${since}: ${ofRuns(before)}`}</small>
      </span>
    ),
    value: ({ kind }) => kind,
    width: 'clamp(140px, 44cqw, 220px)',
  },
  {
    id: 'chance',
    header: 'More than chance?',
    hint: 'Fisher’s exact test, corrected for the number of tests by Benjamini and Hochberg: of the changes that are marked yes, about one in twenty is chance',
    cell: ({ isShown, adjustedP }) => `${isShown ? 'yes' : 'can’t tell'}, corrected p ${formatP(adjustedP)}`,
    value: ({ adjustedP }) => adjustedP,
    width: '190px',
    from: 'sm',
  },
]
