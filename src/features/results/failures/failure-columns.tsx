import type { FailureSignature } from '#contract/failure-signatures.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { SignatureText } from '#src/failure-signatures/SignatureText.tsx'
import { count, counted, percent } from '#src/format/numbers.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import classes from './failure-columns.module.css'
import { ShareBar } from './ShareBar.tsx'

/** The group with most runs of a signature. */
const mostAffected = ({ groups }: FailureSignature) => groups.toSorted((a, b) => b.runs - a.runs)[0]

/** The columns of signatures. Shares are of all runs that failed. */
export const failureColumns = (
  failedRuns: number,
  runsOfGroups: ReadonlyMap<string, number>,
): readonly Column<FailureSignature>[] => [
  {
    id: 'signature',
    header: 'Failure',
    value: ({ signature }) => signature,
    cell: ({ signature, kind }) => <SignatureText signature={signature} kind={kind} />,
  },
  {
    id: 'runs',
    header: 'Runs',
    hint: 'Runs with this failure, and their share of all failed runs',
    value: ({ runs }) => runs,
    cell: ({ runs }) => (
      <ShareBar
        share={runs / Math.max(1, failedRuns)}
        label={`${percent(runs / Math.max(1, failedRuns))} of failed runs`}
      >
        {count(runs)}
      </ShareBar>
    ),
    width: 'clamp(72px, 16cqw, 150px)',
  },
  {
    id: 'tests',
    header: 'Tests',
    hint: 'Tests that failed this way, over all runs',
    value: ({ tests }) => tests,
    cell: ({ tests }) => (tests === 0 ? '–' : count(tests)),
    align: 'right',
    width: '72px',
    from: 'sm',
  },
  {
    id: 'groups',
    header: 'Most in',
    hint: 'The group with most runs of this failure, and in how many groups it occurs',
    value: (row) => mostAffected(row)?.group ?? null,
    cell: (row) => {
      const most = mostAffected(row)
      if (!most) return null
      const others = row.groups.length - 1
      return (
        <span className={classes.group}>
          <span>{groupLabel(most.group)}</span>
          <small>
            {count(most.runs)} of {counted(runsOfGroups.get(most.group) ?? most.runs, 'run')}
            {others > 0 && `; ${counted(others, 'more group')}`}
          </small>
        </span>
      )
    },
    width: '26%',
    from: 'md',
  },
  {
    id: 'first',
    header: 'First seen',
    value: ({ firstSeenAt }) => firstSeenAt,
    cell: ({ firstSeenAt }) => <RelativeTime at={firstSeenAt} />,
    width: '112px',
    from: 'lg',
  },
  {
    id: 'last',
    header: 'Last seen',
    value: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
    width: '112px',
    from: 'md',
  },
]
