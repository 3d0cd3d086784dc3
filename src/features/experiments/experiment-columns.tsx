import type { ExperimentSummary } from '#contract/experiments.ts'
import { passRate } from '#contract/outcomes.ts'
import { count } from '#src/format/numbers.ts'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { ExperimentName } from './ExperimentName.tsx'

export const experimentColumns: readonly Column<ExperimentSummary>[] = [
  {
    id: 'name',
    header: 'Experiment',
    cell: ({ id, name }) => <ExperimentName id={id} name={name} />,
    value: ({ name }) => name,
  },
  {
    id: 'rate',
    header: 'Last pass rate',
    cell: ({ latestOutcomes }) => (latestOutcomes ? <OutcomeBar counts={latestOutcomes} /> : '–'),
    value: ({ latestOutcomes }) => latestOutcomes && passRate(latestOutcomes),
    width: '176px',
  },
  {
    id: 'runs',
    header: 'Runs',
    cell: ({ runCount, unfinishedRunCount }) =>
      unfinishedRunCount > 0 ? `${count(unfinishedRunCount)} of ${count(runCount)} open` : count(runCount),
    value: ({ runCount }) => runCount,
    align: 'right',
    width: '112px',
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
    cell: ({ owner }) => owner.name,
    value: ({ owner }) => owner.name,
    width: '152px',
    from: 'md',
  },
  {
    id: 'activity',
    header: 'Last activity',
    cell: ({ lastActivityAt }) => <RelativeTime at={lastActivityAt} />,
    value: ({ lastActivityAt }) => lastActivityAt,
    align: 'right',
    width: '112px',
    from: 'sm',
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    value: ({ createdAt }) => createdAt,
    align: 'right',
    width: '96px',
    optional: true,
  },
]
