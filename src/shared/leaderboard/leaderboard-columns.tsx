import { Tooltip } from '@mantine/core'

import { axisNamesOf } from '#src/format/axis-names.ts'
import { count, counted, emptyValue, tokens } from '#src/format/numbers.ts'
import type { RunEnding } from '#contract/run-endings.ts'
import type { Board, LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { Column } from '#src/ui/table/column.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { costColumns, costPerRun } from './cost-columns.tsx'
import { solvedDifference } from './difference-column.tsx'
import classes from './Leaderboard.module.css'
import { EndingsBar } from './EndingsBar.tsx'
import type { ListedRuns } from './group-runs.ts'
import { intervalCsv } from './interval-csv.ts'
import { RateBar } from './RateBar.tsx'
import { scoreColumns } from './score-columns.tsx'
import { countEndings, endingMarks } from './run-endings.ts'
import { repeatColumns } from './repeat-columns.tsx'
import { timeColumn } from './time-columns.tsx'

type Options = {
  /** What the rows are grouped by, in the order of their names. */
  groupBy?: string
  /** The group that the others are compared with; null for none. */
  baseline: LeaderboardRow | null
  /** The name of the score that ranks the groups; null if what they solve does. */
  score?: string | null
  /** The runs of a group that are left out, or ended in one way; null where the list of runs cannot select them. */
  runsHref?: (row: LeaderboardRow, which: ListedRuns) => string | null
  /** Absent where groups cannot be picked. */
  pick?: (row: LeaderboardRow) => React.ReactNode
}

/** The columns of a leaderboard, with pass@k and pass^k up to the repeats that every group has. */
export function leaderboardColumns(
  { rows, scope, relation, costs }: Board,
  { groupBy = '', baseline, score = null, runsHref, pick }: Options,
) {
  const axes = axisNamesOf(groupBy)
  // Then what runs cost and took is all that there is to see.
  const isJudged = score !== null || rows.some(({ counted: runs }) => runs > 0)
  const columns: Column<LeaderboardRow>[] = [
    {
      id: 'group',
      header: 'Group',
      cell: (row) => (
        <span className={classes.group} title={row.label}>
          <span className={classes.names}>
            <b>{row.names[0]}</b>
            {row.names.length > 1 && <small>{row.names.slice(1).join(' · ')}</small>}
          </span>
        </span>
      ),
      value: ({ label }) => label,
      csv: axes.length > 1 ? axes.map((header, place) => ({ header, value: ({ names }) => names[place] ?? null })) : [],
      width: groupWidth,
    },
    {
      id: 'rank',
      header: 'Rank',
      hint: '1 plus the number of groups that are shown to be better. In brackets: the ranks that are possible, because some groups cannot be told apart from this one.',
      cell: ({ rank }) =>
        rank ? <RankCell rank={rank.rank} low={rank.range.low} high={rank.range.high} /> : emptyValue,
      value: ({ rank }) => rank?.rank ?? null,
      csv: [
        { header: 'Rank from', value: ({ rank }) => rank?.range.low ?? null },
        { header: 'Rank to', value: ({ rank }) => rank?.range.high ?? null },
      ],
      isBestLow: true,
      width: '64px',
      from: 'sm',
    },
    ...(score === null ? [] : scoreColumns(relation, { name: score, baseline })),
    {
      id: 'solved',
      header: 'Solved',
      hint: 'Share of runs in which every test passed, averaged over prompts, with its 95 % interval',
      cell: (row) => <RateBar rate={row.solved} baseline={baseline?.solved.share ?? null} {...extentOf(row)} />,
      value: ({ solved }) => solved.share,
      csv: intervalCsv<LeaderboardRow>('Solved', ({ solved }) => solved.interval),
    },
    ...(baseline && score === null ? [solvedDifference(relation, baseline)] : []),
    {
      id: 'passRate',
      header: 'Test pass rate',
      hint: 'Share of tests that pass in a run, averaged over prompts, with its 95 % interval',
      cell: ({ passRate }) => <RateBar rate={passRate} hasRange={false} />,
      value: ({ passRate }) => passRate.share,
      csv: intervalCsv<LeaderboardRow>('Test pass rate', ({ passRate }) => passRate.interval),
      width: '136px',
      from: 'lg',
      optional: rows.every((row) => row.passRate.share === row.solved.share),
    },
    endingsColumn(runsHref),
    ...repeatColumns(rows, scope),
    ...costColumns(rows, costs, score === null ? baseline : null),
    { ...costPerRun(rows), ...(!isJudged && { from: undefined }) },
    timeColumn('p50', 'half of the runs', { from: 'xl' }),
    timeColumn('p90', 'nine in ten runs', { optional: true }),
    amount('tokens', 'Tokens per run', ({ facts }) => facts.totalTokens.mean, tokens, {
      from: 'sm',
      optional: isJudged,
    }),
    amount('toolFailures', 'Tool failures per run', ({ facts }) => facts.toolFailures.mean, oneDecimal, {
      optional: true,
    }),
    amount('timedOut', 'Timed out', ({ facts }) => facts.timedOut, count, { optional: true }),
    amount('errored', 'Errored', ({ facts }) => facts.errored, count, {
      hint: 'Runs that ended in an error of the agent or its setup. They count as not solved.',
      optional: true,
    }),
    amount('leftOut', 'Left out', leftOutOf, count, {
      hint: 'Runs that say nothing about the agent: infrastructure ended them, or the agent never started. No other column counts them.',
      cell: (row) => <LeftOutCell runs={leftOutOf(row)} href={runsHref?.(row, 'left out') ?? null} />,
      width: '168px',
      optional: true,
    }),
    // A score counts of runs that no tool judged, too.
    amount(
      'runs',
      'Runs',
      (row) => (score !== null ? row.measuredMean.runs : isJudged ? row.counted : row.runs),
      count,
      {
        from: 'md',
        width: '56px',
      },
    ),
    {
      id: 'prompts',
      header: 'Prompts',
      cell: (row) => (score === null ? <PromptsCell {...row} /> : count(row.measured.size)),
      value: ({ prompts, measured }) => (isJudged ? (score === null ? prompts : measured).size : null),
      align: 'right',
      width: '72px',
      from: 'xl',
    },
  ]
  if (pick) columns.push({ id: 'pick', header: 'Compare', cell: pick, align: 'right', width: '72px', from: 'sm' })
  return columns.map((column) => ({ ...column, optional: column.optional || isEmpty(column, rows) }))
}

/** Every run of the group once, those included that no rate counts. */
const endingsColumn = (runsHref: Options['runsHref']): Column<LeaderboardRow> => ({
  id: 'endings',
  header: 'How runs ended',
  hint: 'Every finished run of the group, once. Below the table: what the colors mean, and what counting some otherwise would change',
  cell: (row) => <EndingsBar counts={endingsOf(row)} hrefOf={runsHref && ((ending) => runsHref(row, ending))} />,
  value: (row) => totalOf(row),
  csv: (Object.keys(endingMarks) as RunEnding[]).map((ending) => ({
    header: `Runs ${endingMarks[ending].label}`,
    value: (row) => endingsOf(row).find((each) => each.ending === ending)?.runs ?? 0,
  })),
  width: '112px',
  from: 'sm',
})

const endingsOf = ({ facts }: LeaderboardRow) => countEndings([facts.endings])

/** Null in figures that were pinned before runs were counted by their endings. */
const totalOf = ({ facts }: LeaderboardRow) => facts.endings?.runs.reduce((sum, runs) => sum + runs, 0) ?? null

/** Hidden until it is asked for. */
const isEmpty = ({ value }: Column<LeaderboardRow>, rows: readonly LeaderboardRow[]) =>
  value !== undefined && rows.every((row) => value(row) === null)

/** On a phone the names of the groups get what the intervals leave; where there is room, the intervals get it. */
const groupWidth = 'clamp(104px, 100cqw - 160px, 200px)'

const oneDecimal = (value: number | null) => (value === null ? emptyValue : value.toFixed(1))

function amount(
  id: string,
  header: string,
  value: (row: LeaderboardRow) => number | null,
  format: (value: number | null) => string,
  rest: Partial<Column<LeaderboardRow>>,
): Column<LeaderboardRow> {
  return { id, header, value, cell: (row) => format(value(row)), align: 'right', width: '96px', ...rest }
}

const leftOutOf = ({ facts }: LeaderboardRow) => facts.leftOut ?? 0

const LeftOutCell = ({ runs, href }: { runs: number; href: string | null }) =>
  runs > 0 && href ? (
    <TextLink className={classes.nested} href={href}>
      {count(runs)}
    </TextLink>
  ) : (
    count(runs)
  )

/** A group on only some of the prompts says so. */
const extentOf = ({ prompts, missingPrompts, counted: runs }: LeaderboardRow) =>
  missingPrompts.length === 0
    ? {}
    : {
        extent: `on ${count(prompts.size)} of ${count(prompts.size + missingPrompts.length)} prompts, ${counted(runs, 'run')}`,
      }

const PromptsCell = ({ prompts, missingPrompts }: LeaderboardRow) => (
  <span title={missingPrompts.length === 0 ? undefined : `Without ${missingPrompts.slice(0, 10).join(', ')}`}>
    {missingPrompts.length === 0
      ? count(prompts.size)
      : `${count(prompts.size)} of ${count(prompts.size + missingPrompts.length)}`}
  </span>
)

const RankCell = ({ rank, low, high }: { rank: number; low: number; high: number }) => (
  <Tooltip
    events={{ hover: true, focus: true, touch: true }}
    label={
      low === high
        ? 'This group can be told apart from every other one'
        : `Rank ${low} to ${high}: this group cannot be told apart from ${counted(high - low, 'other group')}`
    }
  >
    <button type="button" className={classes.rank}>
      {rank}
      {low < high && <small>{` (${low}–${high})`}</small>}
    </button>
  </Tooltip>
)
