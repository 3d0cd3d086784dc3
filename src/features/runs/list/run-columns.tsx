import type { RunSortField } from '#contract/run-list.ts'
import { measureOfScore } from '#contract/score-measures.ts'
import { ScoreMeasure } from '#contract/scores.ts'
import type { Run } from '#contract/runs.ts'
import { isTerminal } from '#contract/run-status.ts'
import { countedTests, passRate } from '#contract/outcomes.ts'
import { nameOfAxes, shortId } from '#src/format/ids.ts'
import { usd } from '#src/format/money.ts'
import { count, tokens } from '#src/format/numbers.ts'
import { scoreText } from '#src/format/scores.ts'
import { paths } from '#src/paths.ts'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { RunTime } from '#src/ui/RunTime.tsx'
import { type Column, platformSort } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './runs.module.css'
import { RunMarks } from './RunMarks.tsx'
import { RunState } from './RunState.tsx'

/** Every column of a run. A list omits columns that would be the same in each row. */
export const runColumns: Column<Run, RunSortField>[] = [
  { id: 'run', header: 'Run', cell: (run) => <RunName run={run} />, value: ({ id }) => id, sort: 'variantId' },
  {
    id: 'status',
    header: 'Status',
    width: '156px',
    cell: (run) => <RunState run={run} />,
    value: ({ status }) => status,
    sort: 'status',
  },
  {
    id: 'tests',
    header: 'Tests passed',
    width: '168px',
    from: 'sm',
    cell: (run) => <TestsOfRun run={run} />,
    value: ({ outcomes }) => passRate(outcomes),
    sort: 'passRate',
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
    sort: 'experimentId',
  },
  { id: 'agent', header: 'Agent', width: '112px', optional: true, value: ({ agent }) => agent, sort: 'agent' },
  { id: 'model', header: 'Model', width: '112px', optional: true, value: ({ model }) => model, sort: 'model' },
  {
    id: 'product',
    header: 'Product',
    width: '112px',
    optional: true,
    value: ({ product }) => product,
    sort: 'product',
  },
  {
    id: 'environment',
    header: 'Environment',
    width: '112px',
    optional: true,
    value: ({ environment }) => environment,
    sort: 'environment',
  },
  { id: 'prompt', header: 'Prompt', width: '112px', optional: true, value: ({ prompt }) => prompt, sort: 'prompt' },
  { id: 'repeat', header: 'Repeat', width: '72px', optional: true, value: ({ repeat }) => repeat, sort: 'repeat' },
  {
    id: 'version',
    header: 'Version',
    width: '64px',
    from: 'lg',
    cell: ({ ordinal }) => `v${ordinal}`,
    value: ({ ordinal }) => ordinal,
    sort: 'ordinal',
  },
  {
    id: 'time',
    header: 'Time',
    width: '76px',
    align: 'right',
    from: 'md',
    cell: (run) => <RunTime run={run} />,
    value: ({ wallSeconds }) => wallSeconds,
    sort: 'wallSeconds',
  },
  {
    id: 'cost',
    header: 'Model cost',
    width: '80px',
    align: 'right',
    from: 'md',
    hint: 'Of the model calls. The run’s own page adds the compute.',
    cell: ({ costUsd }) => usd(costUsd),
    value: ({ costUsd }) => costUsd,
    csv: [{ header: 'Compute', value: ({ computeUsd }) => computeUsd ?? null }],
    sort: 'costUsd',
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: '68px',
    align: 'right',
    from: 'lg',
    cell: ({ totalTokens }) => tokens(totalTokens),
    value: ({ totalTokens }) => totalTokens,
    sort: 'totalTokens',
  },
  {
    id: 'tool-calls',
    header: 'Tool calls',
    width: '88px',
    align: 'right',
    optional: true,
    cell: ({ toolCalls }) => count(toolCalls),
    value: ({ toolCalls }) => toolCalls,
    sort: 'toolCalls',
  },
  {
    id: 'tool-failures',
    header: 'Tool failures',
    width: '104px',
    align: 'right',
    optional: true,
    cell: ({ toolFailures }) => count(toolFailures),
    value: ({ toolFailures }) => toolFailures,
    sort: 'toolFailures',
  },
  {
    id: 'exit-code',
    header: 'Agent exit code',
    width: '112px',
    align: 'right',
    optional: true,
    value: ({ agentExitCode }) => agentExitCode ?? null,
    sort: 'agentExitCode',
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
    sort: 'runRequestId',
  },
  {
    id: 'by',
    header: 'Submitted by',
    width: '120px',
    optional: true,
    value: ({ triggeredBy }) => triggeredBy.name,
    sort: 'triggeredBy',
  },
  timeColumn(({ createdAt }) => createdAt, {
    id: 'submitted',
    header: 'Submitted',
    width: '84px',
    from: 'sm',
    sort: 'createdAt',
  }),
  {
    id: 'ended',
    header: 'Ended',
    width: '84px',
    align: 'right',
    optional: true,
    cell: ({ endedAt }) => endedAt && <RelativeTime at={endedAt} />,
    value: ({ endedAt }) => endedAt ?? null,
    sort: 'endedAt',
  },
]

export const toRunSort = (sort: string) => {
  const score = scoreOfSort(sort)
  return score === null ? platformSort(runColumns, sort) : sort.startsWith('-') ? (`-${score}` as const) : score
}

/** The score by which a list is sorted, or null. */
export const scoreOfSort = (sort: string): ScoreMeasure | null =>
  ScoreMeasure.safeParse(sort.replace(/^-/, '')).data ?? null

/** The column of a score, hidden by default if it is `optional`. */
export function scoreColumn(name: string, shown: 'from sm' | 'from md' | 'optional'): Column<Run, ScoreMeasure> {
  const valueOf = ({ scores }: Run) => scores?.find((score) => score.name === name)?.value ?? null
  return {
    id: measureOfScore(name),
    header: name,
    hint: `The score “${name}”`,
    width: '104px',
    align: 'right',
    cell: (run) => scoreText(valueOf(run)),
    value: valueOf,
    sort: measureOfScore(name),
    ...(shown === 'optional' ? { optional: true } : { from: shown === 'from sm' ? 'sm' : 'md' }),
  }
}

/** Until a run has ended, a test that has not run is not a test that is missing. */
const TestsOfRun = ({ run: { status, outcomes } }: { run: Run }) =>
  isTerminal(status) || countedTests(outcomes) > 0 ? (
    <OutcomeBar counts={outcomes} />
  ) : (
    <span className={mutedText.plain}>{status === 'running' ? 'running' : 'not started'}</span>
  )

/** The name of a run for people: its variant, its repeat, and its marks. */
function RunName({ run }: { run: Run }) {
  const rest =
    run.prompt && run.variantId.endsWith(`~${run.prompt}`)
      ? run.variantId.slice(0, -run.prompt.length - 1)
      : run.variantId
  return (
    <span className={classes.name}>
      <span className={classes.variant} title={nameOfAxes(run.variantId)}>
        <span>{nameOfAxes(rest)}</span>
        {run.prompt && <span className={classes.prompt}> · {run.prompt}</span>}
      </span>
      <span className={classes.repeat} title={`Repeat ${run.repeat}`}>
        #{run.repeat}
      </span>
      <RunMarks run={run} />
    </span>
  )
}
