import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { ChartParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartOptions } from '#src/api/charts.ts'
import { useLiveResults } from '#src/api/live-results.ts'
import { defaultGrouping } from '#src/shared/leaderboard/groupings.ts'
import { toRows } from '#statistics/leaderboard/leaderboard-rows.ts'
import { measureTasks } from './measure-tasks.ts'

/** The version that the tasks are shown of: the one in the URL, or else the latest that has results. */
export const versionOf = (
  { fingerprint, latestResultsFingerprint }: Pick<Experiment, 'fingerprint' | 'latestResultsFingerprint'>,
  asked: string,
) => asked || (latestResultsFingerprint ?? fingerprint)

/** The tasks of a version as measures of its groups; `measured` is undefined until the results are loaded. */
export function useMeasuredTasks(experiment: Experiment, updatedAt: number, version: string) {
  const { refetchInterval } = useLiveResults(experiment, updatedAt)
  const parameters = useMemo(
    () => ChartParameters.parse({ groupBy: defaultGrouping(experiment), version }),
    [experiment, version],
  )
  const query = useQuery({ ...chartOptions('leaderboard', experiment.id, parameters), refetchInterval })
  const measured = useMemo(
    () => query.data && measureTasks(toRows(query.data, 'these prompts').filter(({ counted }) => counted > 0)),
    [query.data],
  )
  return { parameters, measured, groups: query.data?.groups.length ?? 0, error: query.error, refetch: query.refetch }
}
