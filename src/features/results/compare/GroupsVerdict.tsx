import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { ChartParameters } from '#contract/charts.ts'
import { chartOptions } from '#src/api/charts.ts'
import type { LiveResults } from '#src/api/live-results.ts'
import { answerBySolved } from '#src/shared/leaderboard/solved-answer.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { Scope } from '#statistics/scope.ts'
import classes from './Compare.module.css'

type Props = { experimentId: string; parameters: ChartParameters; scope: Scope | null; live: LiveResults }

/** The verdict on all groups, as the leaderboard of the same runs has it. Nothing until it is loaded. */
export function GroupsVerdict({ experimentId, parameters, scope, live: { refetchInterval, isComplete } }: Props) {
  const { data, dataUpdatedAt } = useQuery({
    ...chartOptions('leaderboard', experimentId, parameters),
    refetchInterval,
  })
  const isWhole = data !== undefined && isComplete(data, dataUpdatedAt)
  const verdict = useMemo(() => data && answerBySolved(toBoard(data, scope), isWhole).verdict, [data, scope, isWhole])
  return verdict ? <p className={classes.note}>All groups: {verdict}</p> : null
}
