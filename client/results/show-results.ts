import { getExperiment } from '#contract/experiments.ts'
import { counted } from '#contract/wire/counted.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { readExperimentId } from '#client/runs/submit-request.ts'
import { table } from '#client/terminal/table.ts'
import { wrapWords } from '#client/terminal/wrap-words.ts'
import type { Verb } from '#client/work.ts'
import { seconds } from '#src/format/durations.ts'
import { usdBeside } from '#src/format/money.ts'
import { percent } from '#src/format/numbers.ts'
import type { Answer } from '#src/shared/leaderboard/answer.ts'
import { answerBySolved } from '#src/shared/leaderboard/solved-answer.ts'
import { shareOf } from '#src/shared/leaderboard/rate-words.ts'
import { type LeaderboardRow, toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { readSummary } from './read-chart.ts'

export type ResultOptions = { groupBy?: string; resultsVersion?: string }

export const showResults =
  (experiment: string | undefined, options: ResultOptions): Verb =>
  async (work) => {
    const caller = await work.api()
    const results = await readResults(caller, await readExperimentId(work, experiment), options)
    work.show(toJson(results), describe(results, work.io.columns.out))
  }

/** The leaderboard of an experiment, with the answer that its page has. */
export async function readResults(caller: ApiCaller, experimentId: string, { groupBy, resultsVersion }: ResultOptions) {
  const parameters = {
    ...(groupBy !== undefined && { groupBy }),
    ...(resultsVersion !== undefined && { version: resultsVersion }),
  }
  const { unfinishedRunCount } = await caller.call(getExperiment, { id: experimentId })
  const summary = await readSummary(caller, { experimentId, kind: 'leaderboard', parameters })
  const board = toBoard(summary, null)
  const isWhole = unfinishedRunCount === 0 && summary.pendingRuns === 0
  return {
    experimentId,
    summary,
    rows: board.rows,
    scope: board.scope,
    isWhole,
    answer: answerBySolved(board, isWhole),
  }
}

type Results = Awaited<ReturnType<typeof readResults>>

/** The fields of --json, which stay as they are. */
export const toJson = ({ experimentId, summary, rows, scope, isWhole, answer }: Results) => ({
  experimentId,
  version: summary.version,
  groupBy: summary.groupBy,
  verdict: answer.verdict,
  facts: answer.facts,
  note: answer.note,
  isWhole,
  scope,
  rows: rows.map((row) => ({
    rank: row.rank?.rank ?? null,
    group: row.group,
    label: row.label,
    solvedShare: row.solved.share,
    solvedInterval: row.solved.interval,
    runs: row.counted,
    costPerSolvedUsd: row.costPerSolved,
    medianSeconds: row.facts.wallSeconds.p50,
  })),
  pendingRuns: summary.pendingRuns,
  excludedTestAwareRuns: summary.excludedTestAwareRuns,
})

const describe = ({ rows, answer, summary }: Results, columns: number | null) =>
  [
    wrapWords(describeAnswer(answer), columns),
    '',
    rows.length > 0 ? leaderboardTable(rows) : '',
    ...notesOf(summary),
  ].join('\n')

const describeAnswer = ({ verdict, facts, note }: Answer) =>
  [verdict, ...facts.map(describeFact), note ?? ''].filter((line) => line !== '').join('\n')

const describeFact = ({ label, value, detail }: Answer['facts'][number]) =>
  `  ${label}${label.endsWith('?') ? '' : ':'} ${value}${detail && ` (${detail})`}`

function leaderboardTable(rows: readonly LeaderboardRow[]) {
  const usd = usdBeside(rows.map(({ costPerSolved }) => costPerSolved))
  return table(
    ['RANK', 'GROUP', 'SOLVED', '95 % CI', 'RUNS', 'COST PER SOLVED', 'MEDIAN TIME'],
    rows.map((row) => [
      row.rank?.rank,
      row.label,
      shareOf(row),
      row.solved.interval && `${percent(row.solved.interval.low, 1)} to ${percent(row.solved.interval.high, 1)}`,
      row.counted,
      usd(row.costPerSolved),
      seconds(row.facts.wallSeconds.p50),
    ]),
  )
}

const notesOf = ({ excludedTestAwareRuns, pendingRuns }: Results['summary']) => [
  ...(excludedTestAwareRuns > 0
    ? [`Left out: ${counted(excludedTestAwareRuns, 'run')} that noticed being tested`]
    : []),
  ...(pendingRuns > 0
    ? [
        `${counted(pendingRuns, 'ended run')} ${pendingRuns === 1 ? 'is' : 'are'} not counted yet. Ask again in a moment`,
      ]
    : []),
]
