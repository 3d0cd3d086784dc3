import { Button, Checkbox, Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, use, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'

import type { HeatmapParameters } from '#contract/charts.ts'
import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import { chartOptions } from '#src/api/charts.ts'
import { leaderboardSql, metricSql } from '#src/shared/copy-as/chart-sql.ts'
import { LeaderboardNotes } from '#src/shared/leaderboard/LeaderboardNotes.tsx'
import { AnswerPanel, FactsBelow } from '#src/shared/leaderboard/AnswerPanel.tsx'
import { LosesLink } from '#src/shared/leaderboard/LosesLink.tsx'
import classes from '#src/shared/leaderboard/Leaderboard.module.css'
import { leaderboardColumns } from '#src/shared/leaderboard/leaderboard-columns.tsx'
import { chartCurl } from '#src/features/results/view/copy-results.ts'
import { NoFinishedRuns } from '#src/features/results/view/NoFinishedRuns.tsx'
import { ResultsBar } from '#src/features/results/view/ResultsBar.tsx'
import { matchingRows } from '#src/features/results/view/result-columns.ts'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { chartFilters, runsHrefs } from '#src/shared/leaderboard/group-runs.ts'
import { UrlSelect } from '#src/features/results/view/UrlSelect.tsx'
import { measureOf, scoreChoices } from '#src/features/results/view/measures.ts'
import { type ViewProps, ViewState } from '#src/features/results/view/ViewState.tsx'
import { counted } from '#src/format/numbers.ts'
import { answerByScore } from '#src/shared/leaderboard/score-answer.ts'
import { answerBySolved } from '#src/shared/leaderboard/solved-answer.ts'
import { openingScore } from '#src/shared/leaderboard/opening-score.ts'
import { paths } from '#src/paths.ts'
import { type LeaderboardRow, toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { FigureContext } from '#src/ui/FigureContext.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { RowFilter } from '#src/ui/table/RowFilter.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { changeQuery, useQueryState } from '#src/url/use-query-state.ts'
import { BesideFrontier } from './BesideFrontier.tsx'
import { LeaderboardControls } from './LeaderboardControls.tsx'
import { askedParameters, asksForNoMeasure, boardRates, readLeaderboardState } from './leaderboard-parameters.ts'
import { WhoseFailure } from './WhoseFailure.tsx'
import { useUrlColumns } from './url-columns.ts'
import { quoteLeaderboard } from './quote-leaderboard.ts'

/** It comes when its evidence does. */
const VersionFinding = lazy(async () => ({
  default: (await import('#src/shared/leaderboard/VersionFinding.tsx')).VersionFinding,
}))

/** Most people look at the table, which needs no chart code. */
const LeaderboardChart = lazy(async () => ({ default: (await import('./LeaderboardChart.tsx')).LeaderboardChart }))

const solvedChoice = { value: 'solved', label: measureOf('solved').label }

/** A link may name a score that the shown runs lack. */
const namesWith = (names: readonly string[] = [], score: ScoreMeasure | null) => {
  const name = scoreNameOf(score)
  return name === null || names.includes(name) ? names : [...names, name]
}

/** The finding is about every group, so filtered results don't begin with it. */
const isUnfiltered = (parameters: HeatmapParameters) =>
  parameters.version === undefined && chartFilters.every(({ name }) => parameters[name].length === 0)

const rateChoices = boardRates.map((value) => ({ value, label: measureOf(value).label }))

/** Which group solves most, by how much, whether that is more than chance, and what it costs. */
export function LeaderboardView(props: ViewProps) {
  const { experiment, state, refetchInterval, isComplete } = props
  const [search] = useSearchParams()
  const optionsFor = (score: ScoreMeasure | null) => ({
    ...chartOptions('leaderboard', experiment.id, askedParameters(search, withoutTestSearch(state.parameters), score)),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  const asked = useQuery(optionsFor(null))
  const opening = asked.data && asksForNoMeasure(search) ? openingScore(asked.data) : null
  const byScore = useQuery({ ...optionsFor(opening), enabled: opening !== null })
  const summary = opening === null ? asked : byScore
  return (
    <ViewState label="Leaderboard" query={summary}>
      {(data) => <Groups {...props} data={data} opening={opening} isWhole={isComplete(data, summary.dataUpdatedAt)} />}
    </ViewState>
  )
}

type GroupsProps = ViewProps & { data: LeaderboardSummary; opening: ScoreMeasure | null; isWhole: boolean }

function Groups({ experiment, state, data, opening, isWhole, refetchInterval }: GroupsProps) {
  const [search] = useSearchParams()
  const url = useQueryState()
  const { as, rate, score, sort, scope: asked, baseline } = readLeaderboardState(search, opening)
  const board = useMemo(() => toBoard(data, asked, score ? 'measured' : 'solved'), [data, asked, score])
  const { scope, rows } = board
  const { pinned, ...columnChoice } = useUrlColumns('groups')
  const [filter, setFilter] = useState('')
  const [picked, setPicked] = useState<readonly string[]>([])
  const isFigure = use(FigureContext) !== 'page'
  const base = rows.find(({ group }) => group === baseline) ?? null
  const chartScope = useMemo(
    () => ({
      parameters: { ...withoutTestSearch(state.parameters), groupBy: data.groupBy },
      version: data.version,
    }),
    [state.parameters, data.groupBy, data.version],
  )
  const hrefs = useMemo(
    () => runsHrefs(experiment.id, chartScope.parameters, chartScope.version),
    [experiment.id, chartScope],
  )
  const columns = useMemo(() => {
    const pick = ({ group, label }: LeaderboardRow) => (
      <Checkbox
        size="xs"
        className={classes.pick}
        aria-label={`Compare ${label}`}
        checked={picked.includes(group)}
        onChange={({ currentTarget: { checked } }) =>
          setPicked((before) => (checked ? [...before, group].slice(-2) : before.filter((one) => one !== group)))
        }
      />
    )
    return leaderboardColumns(board, {
      groupBy: data.groupBy,
      baseline: base,
      score: scoreNameOf(score),
      ...(!isFigure && { pick, runsHref: ({ group }, which) => hrefs.group(group, which) }),
    })
  }, [board, data.groupBy, base, score, picked, isFigure, hrefs])
  const answer = useMemo(() => {
    const name = scoreNameOf(score)
    return name === null ? answerBySolved(board, isWhole) : answerByScore(board, name, isWhole)
  }, [board, isWhole, score])
  if (rows.length === 0)
    return <NoFinishedRuns experimentId={experiment.id} parameters={state.parameters} omissions={data} />
  const total = rows.reduce((sum, { runs }) => sum + runs, 0)
  const shown = {
    title: 'leaderboard',
    quote: () => quoteLeaderboard(rows, answer, scoreNameOf(score)),
    curl: () => chartCurl(experiment.id, 'leaderboard', askedParameters(search, chartScope.parameters, score)),
    sql: () => (score ? metricSql(chartScope, score) : leaderboardSql(chartScope)),
    pinned,
  }
  const hrefOf = (changes: Parameters<typeof changeQuery>[1]) => `?${changeQuery(search, changes).toString()}`
  const compareHref = (pair: { left: string; right: string }) =>
    hrefOf({ view: 'compare', measure: score ?? 'solved', metric: null, ...pair, group: null, sort: null })
  const [left, right] = picked
  const matching = matchingRows(rows, columns, filter)
  const bar = (
    <ResultsBar
      {...{ experiment, shown, as }}
      defaultAs="table"
      scope={chartScope}
      extent={`${counted(rows.length, 'group')}, ${counted(total, 'run')}`}
      omissions={data}
    >
      {as === 'table' && (
        <RowFilter label="groups" value={filter} onChange={setFilter} matching={matching.length} total={rows.length} />
      )}
      {left && right && (
        <Button component={Link} to={compareHref({ left, right })}>
          Compare the two
        </Button>
      )}
      {(score !== null || (data.scores ?? []).length > 0) && (
        <UrlSelect
          label="Measure"
          param="metric"
          hasNoDefault={opening !== null}
          value={score ?? 'solved'}
          choices={[solvedChoice, ...scoreChoices(namesWith(data.scores, score))]}
        />
      )}
      {as === 'chart' && score === null && <UrlSelect label="Rate" param="rate" value={rate} choices={rateChoices} />}
      <LeaderboardControls
        {...{ data, rows, scope, baseline: base, parameters: state.parameters }}
        hasBaseline={as === 'table'}
      />
    </ResultsBar>
  )
  return (
    <>
      {isUnfiltered(state.parameters) && experiment.versionCount > 1 && (
        <PageOnly>
          <Suspense>
            <VersionFinding experiment={experiment} live={{ refetchInterval }} isBrief />
          </Suspense>
        </PageOnly>
      )}
      <AnswerPanel answer={answer} />
      {as === 'chart' ? (
        <>
          {bar}
          <Suspense fallback={<Skeleton height={360} />}>
            <LeaderboardChart {...{ rows, rate, score }} selected={state.group} />
          </Suspense>
        </>
      ) : (
        <BesideFrontier rows={score === null ? rows : []} selected={state.group}>
          <DataTable
            label="groups"
            columns={columns}
            columnChoice={columnChoice}
            rows={matching}
            rowId={({ group }) => group}
            isWide
            rowHref={({ group }) => hrefOf({ group, run: null })}
            empty={{ title: 'No groups match', hint: 'Change the filter above.' }}
            sort={sort}
            onSort={(next) => url.set({ sort: next })}
            filters={bar}
          />
        </BesideFrontier>
      )}
      <FactsBelow answer={answer} />
      {answer.note && <p className={classes.aside}>{answer.note}</p>}
      <PageOnly>
        <p className={classes.aside}>
          <LosesLink rows={rows} hrefOf={compareHref} />
        </p>
      </PageOnly>
      {as === 'table' && (
        <>
          <WhoseFailure {...{ data, board, isWhole }} hrefOf={hrefs.all} />
          <PageOnly>
            <p className={classes.aside}>
              <TextLink href={paths.experiment(experiment.id, 'tasks', { version: data.version })}>
                How hard each task is, and how well it tells groups apart
              </TextLink>
            </p>
          </PageOnly>
        </>
      )}
      <LeaderboardNotes rows={rows} scope={scope} />
    </>
  )
}
