import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { describeMixedImages } from '#contract/mixed-images.ts'
import { ChartParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import { chartOptions } from '#src/api/charts.ts'
import type { LiveResults } from '#src/api/live-results.ts'
import { defaultGrouping } from '#src/shared/leaderboard/groupings.ts'
import { EndingsLegend } from '#src/shared/leaderboard/EndingsBar.tsx'
import { runsHrefs } from '#src/shared/leaderboard/group-runs.ts'
import { countEndings } from '#src/shared/leaderboard/run-endings.ts'
import { leaderboardColumns } from '#src/shared/leaderboard/leaderboard-columns.tsx'
import { LeaderboardNotes } from '#src/shared/leaderboard/LeaderboardNotes.tsx'
import classes from '#src/shared/leaderboard/Leaderboard.module.css'
import { AnswerPanel, FactsBelow } from '#src/shared/leaderboard/AnswerPanel.tsx'
import { LosesLink } from '#src/shared/leaderboard/LosesLink.tsx'
import { unfinishedText } from '#src/shared/leaderboard/so-far.ts'
import { paths } from '#src/paths.ts'
import { answerBySolved } from '#src/shared/leaderboard/solved-answer.ts'
import { openingScore } from '#src/shared/leaderboard/opening-score.ts'
import { answerByScore } from '#src/shared/leaderboard/score-answer.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LeftOutLink } from '#src/ui/LeftOutLink.tsx'
import { PendingRuns } from '#src/ui/PendingRuns.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'

type Props = {
  experiment: Experiment
  live: LiveResults
  /** Another sentence leads the page, so the rows come first here. */
  isBelowFinding: boolean
}

/** Who is best, and whether that is more than chance, over the latest version with finished runs. */
export function OverviewLeaderboard({ experiment, live: { refetchInterval, isComplete }, isBelowFinding }: Props) {
  const { id } = experiment
  const parameters = useMemo(() => ChartParameters.parse({ groupBy: defaultGrouping(experiment) }), [experiment])
  const optionsFor = (metric: ScoreMeasure | null) => ({
    ...chartOptions('leaderboard', id, metric === null ? parameters : { ...parameters, metric }),
    refetchInterval,
  })
  const solved = useQuery(optionsFor(null))
  const score = solved.data ? openingScore(solved.data) : null
  const byScore = useQuery({ ...optionsFor(score), enabled: score !== null })
  const { data, dataUpdatedAt, error, refetch } = score === null ? solved : byScore
  const isWhole = data !== undefined && isComplete(data, dataUpdatedAt)
  const board = useMemo(() => {
    if (!data) return null
    const name = scoreNameOf(score)
    const shown = toBoard(data, null, name === null ? 'solved' : 'measured')
    const hrefs = runsHrefs(id, parameters, data.version)
    const columns = leaderboardColumns(shown, {
      groupBy: data.groupBy,
      baseline: null,
      score: name,
      runsHref: ({ group }, which) => hrefs.group(group, which),
    })
    const answer = name === null ? answerBySolved(shown, isWhole) : answerByScore(shown, name, isWhole)
    return { ...shown, answer, columns, hrefs }
  }, [data, isWhole, parameters, id, score])
  if (error)
    return <ErrorNotice title="The leaderboard could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!data || !board) return <Skeleton height={240} />
  const pending = <PendingRuns count={data.pendingRuns} refresh={refetch} />
  if (board.rows.length === 0)
    return data.pendingRuns > 0 ? (
      pending
    ) : (
      <p className={classes.none}>
        {data.unfinished && data.unfinished.endedRuns > 0
          ? `No prompt has ended yet. ${unfinishedText(data.unfinished)}`
          : 'No finished runs yet.'}
      </p>
    )
  return (
    <>
      {pending}
      <DataTable
        label="groups"
        columns={board.columns}
        rows={board.rows}
        rowId={({ group }) => group}
        isWide
        rowHref={({ group }) => paths.experiment(id, 'results', { group })}
        error={null}
        onRetry={() => {}}
        empty={{ title: 'No groups' }}
        filters={!isBelowFinding && <AnswerPanel answer={board.answer} />}
      />
      {isBelowFinding && (
        <div className={classes.answerBelow}>
          <AnswerPanel answer={board.answer} />
        </div>
      )}
      <FactsBelow answer={board.answer} />
      <EndingsLegend counts={countEndings(data.groups.map(({ endings }) => endings))} hrefOf={board.hrefs.all} />
      {board.answer.note && <p className={classes.aside}>{board.answer.note}</p>}
      <p className={classes.aside}>
        <LosesLink rows={board.rows} hrefOf={(pair) => paths.experiment(id, 'results', { view: 'compare', ...pair })} />
      </p>
      <p className={classes.notes}>
        <LeftOutLink leftOut={data.leftOutRuns} href={board.hrefs.all('left out')} />
        {data.mixedImages.length > 0 && <span>{describeMixedImages(data.mixedImages)}</span>}
      </p>
      <details className={classes.meaning}>
        <summary>What solved, rank and whiskers mean</summary>
        <LeaderboardNotes rows={board.rows} scope={board.scope} />
      </details>
    </>
  )
}
