import type { ExperimentSortField, ExperimentSummary } from '#contract/experiments.ts'
import { count } from '#src/format/numbers.ts'
import { LatestSolved } from '#src/ui/LatestSolved.tsx'
import { type Column, platformSort } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import classes from './ExperimentName.module.css'

/** The display name next to the id that queries use. */
const ExperimentName = ({ id, name }: { id: string; name: string }) => (
  <span className={classes.root} title={name}>
    <span className={classes.name}>{name}</span>
    <span className={classes.id}>{id}</span>
  </span>
)

export const experimentColumns: readonly Column<ExperimentSummary, ExperimentSortField>[] = [
  {
    id: 'name',
    header: 'Experiment',
    cell: ({ id, name }) => <ExperimentName id={id} name={name} />,
    value: ({ name }) => name,
    sort: 'name',
  },
  {
    id: 'solved',
    header: 'Solved',
    cell: (experiment) => <LatestSolved experiment={experiment} none="–" />,
    value: ({ latestSolved }) => latestSolved && latestSolved.solved / latestSolved.runs,
    sort: 'solved',
    width: 'clamp(152px, 30cqw, 248px)',
  },
  {
    id: 'runs',
    header: 'Runs',
    cell: ({ runCount, unfinishedRunCount }) =>
      unfinishedRunCount > 0 ? `${count(unfinishedRunCount)} of ${count(runCount)} unfinished` : count(runCount),
    value: ({ runCount }) => runCount,
    sort: 'runCount',
    align: 'right',
    width: '160px',
    from: 'sm',
  },
  {
    id: 'versions',
    header: 'Versions',
    cell: ({ versionCount }) => count(versionCount),
    value: ({ versionCount }) => versionCount,
    sort: 'versionCount',
    align: 'right',
    width: '88px',
    from: 'md',
  },
  {
    id: 'owner',
    header: 'Owner',
    value: ({ owner }) => owner.name,
    sort: 'owner',
    width: '152px',
    from: 'md',
  },
  timeColumn(({ lastActivityAt }) => lastActivityAt, {
    id: 'activity',
    header: 'Last activity',
    sort: 'lastActivityAt',
    width: '112px',
    from: 'sm',
  }),
  timeColumn(({ createdAt }) => createdAt, {
    id: 'created',
    header: 'Created',
    sort: 'createdAt',
    width: '96px',
    optional: true,
  }),
]

export const toExperimentSort = (sort: string) => platformSort(experimentColumns, sort)
