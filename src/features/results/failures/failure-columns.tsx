import type { FailureSignature } from '#contract/failure-signatures.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { SignatureText } from '#src/shared/failure-signatures/SignatureText.tsx'
import { count, counted, percent } from '#src/format/numbers.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import classes from './failure-columns.module.css'
import { ShareBar } from './ShareBar.tsx'

/** Groups that a row shows; the others are counted. */
const shownGroups = 3

/** The groups with a failure, those with the largest share of their runs first. */
const byShare = ({ groups }: FailureSignature) =>
  groups.toSorted((a, b) => b.runs / b.ofRuns - a.runs / a.ofRuns || b.runs - a.runs)

/** `All 9 groups, every run`, or how often the groups have it where that differs. */
function GroupShares(row: FailureSignature) {
  const groups = byShare(row)
  const isEveryRun = groups.every(({ runs, ofRuns }) => runs === ofRuns)
  if (isEveryRun && groups.length === row.groupCount && groups.length > 1)
    return `${groups.length === 2 ? 'Both' : `All ${count(groups.length)}`} groups, every run`
  const more = groups.length - shownGroups
  return (
    <span className={classes.groups}>
      {groups.slice(0, shownGroups).map(({ group, runs, ofRuns }) => (
        <span key={group} className={classes.group}>
          <span>{groupLabel(group)}</span>
          <ShareBar share={runs / ofRuns} label={`${count(runs)} of ${counted(ofRuns, 'run')} on these prompts`}>
            {count(runs)}/{count(ofRuns)}
          </ShareBar>
        </span>
      ))}
      {more > 0 && <small>{counted(more, 'more group')}</small>}
    </span>
  )
}

/** The columns of signatures. Shares are of all runs that failed. */
export const failureColumns = (failedRuns: number): readonly Column<FailureSignature>[] => [
  {
    id: 'signature',
    header: 'Failure',
    value: ({ message }) => message,
    cell: (signature) => <SignatureText signature={signature} />,
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
    hint: 'Different tests that failed this way',
    value: ({ testCount }) => testCount,
    cell: ({ testCount }) => (testCount === 0 ? '–' : count(testCount)),
    align: 'right',
    width: '72px',
    from: 'sm',
  },
  {
    id: 'groups',
    header: 'Groups',
    hint: 'Runs with this failure, of all runs of the group on the prompts where it occurs',
    value: (row) => byShare(row)[0]?.group ?? null,
    cell: GroupShares,
    width: '30%',
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
