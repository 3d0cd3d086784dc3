import type { Run } from '#contract/runs.ts'
import { passRate } from '#contract/outcomes.ts'
import { seconds } from '#src/format/durations.ts'
import { shortId } from '#src/format/ids.ts'
import { usd } from '#src/format/money.ts'
import { count, tokens } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import classes from './runs.module.css'
import { RunMarks } from './RunMarks.tsx'

/** Every column of a run. A list omits columns that would be the same in each row. */
export const runColumns: Column<Run>[] = [
  { id: 'run', header: 'Run', cell: (run) => <RunName run={run} />, value: ({ id }) => id },
  {
    id: 'status',
    header: 'Status',
    width: '128px',
    cell: ({ status, statusReason }) => <StatusBadge status={status} reason={statusReason} />,
    value: ({ status }) => status,
  },
  {
    id: 'tests',
    header: 'Tests passed',
    width: '168px',
    from: 'sm',
    cell: ({ outcomes }) => <OutcomeBar counts={outcomes} />,
    value: ({ outcomes }) => passRate(outcomes),
  },
  {
    id: 'experiment',
    header: 'Experiment',
    width: '152px',
    from: 'md',
    cell: ({ experimentId, experimentName }) => (
      <TextLink className={classes.nested} href={paths.experiment(experimentId)}>
        {experimentName}
      </TextLink>
    ),
    value: ({ experimentId }) => experimentId,
  },
  {
    id: 'version',
    header: 'Version',
    width: '64px',
    from: 'lg',
    cell: ({ ordinal }) => `v${ordinal}`,
    value: ({ ordinal }) => ordinal,
  },
  {
    id: 'time',
    header: 'Time',
    width: '80px',
    align: 'right',
    from: 'md',
    cell: ({ wallSeconds }) => seconds(wallSeconds),
    value: ({ wallSeconds }) => wallSeconds,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: '92px',
    align: 'right',
    from: 'md',
    cell: ({ costUsd }) => usd(costUsd),
    value: ({ costUsd }) => costUsd,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: '68px',
    align: 'right',
    from: 'lg',
    cell: ({ totalTokens }) => tokens(totalTokens),
    value: ({ totalTokens }) => totalTokens,
  },
  {
    id: 'tool-calls',
    header: 'Tool calls',
    width: '88px',
    align: 'right',
    optional: true,
    cell: ({ toolCalls }) => count(toolCalls),
    value: ({ toolCalls }) => toolCalls,
  },
  {
    id: 'request',
    header: 'Request',
    width: '84px',
    from: 'lg',
    cell: ({ runRequestId }) => (
      <TextLink className={classes.nested} href={paths.run(runRequestId)}>
        {shortId(runRequestId)}
      </TextLink>
    ),
    value: ({ runRequestId }) => runRequestId,
  },
  {
    id: 'by',
    header: 'Submitted by',
    width: '120px',
    optional: true,
    value: ({ triggeredBy }) => triggeredBy.name,
  },
  timeColumn(({ createdAt }) => createdAt, { id: 'submitted', header: 'Submitted', width: '84px', from: 'sm' }),
]

/** The name of a run for people: its variant, its repeat, and its marks. */
function RunName({ run }: { run: Pick<Run, 'variantId' | 'repeat' | 'mock' | 'testAware' | 'timeLimit'> }) {
  return (
    <span className={classes.name}>
      <TruncatedText>{run.variantId}</TruncatedText>
      <span className={classes.repeat} title={`Repeat ${run.repeat}`}>
        #{run.repeat}
      </span>
      <RunMarks run={run} />
    </span>
  )
}
