import type { ExperimentSummary } from '#contract/experiments.ts'
import { count } from '#src/format/numbers.ts'
import { LatestSolved } from '#src/ui/LatestSolved.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import classes from './ExperimentName.module.css'

/** The display name next to the id that queries use. */
const ExperimentName = ({ id, name }: { id: string; name: string }) => (
  <span className={classes.root} title={name}>
    <span className={classes.name}>{name}</span>
    <span className={classes.id}>{id}</span>
  </span>
)

export const experimentColumns: readonly Column<ExperimentSummary>[] = [
  {
    id: 'name',
    header: 'Experiment',
    cell: ({ id, name }) => <ExperimentName id={id} name={name} />,
    value: ({ name }) => name,
  },
  {
    id: 'solved',
    header: 'Solved',
    cell: (experiment) => <LatestSolved experiment={experiment} none="–" />,
    value: ({ latestSolved }) => latestSolved && latestSolved.solved / latestSolved.runs,
    width: 'clamp(152px, 30cqw, 248px)',
  },
  {
    id: 'runs',
    header: 'Runs',
    cell: ({ runCount, unfinishedRunCount }) =>
      unfinishedRunCount > 0 ? `${count(unfinishedRunCount)} of ${count(runCount)} unfinished` : count(runCount),
    value: ({ runCount }) => runCount,
    align: 'right',
    width: '160px',
    from: 'sm',
  },
  {
    id: 'versions',
    header: 'Versions',
    cell: ({ versionCount }) => count(versionCount),
    value: ({ versionCount }) => versionCount,
    align: 'right',
    width: '88px',
    from: 'md',
  },
  {
    id: 'owner',
    header: 'Owner',
    value: ({ owner }) => owner.name,
    width: '152px',
    from: 'md',
  },
  timeColumn(({ lastActivityAt }) => lastActivityAt, {
    id: 'activity',
    header: 'Last activity',
    width: '112px',
    from: 'sm',
  }),
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'Created', width: '96px', optional: true }),
]
