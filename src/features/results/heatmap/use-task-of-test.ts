import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { HeatmapParameters, HeatmapSummary } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartOptions } from '#src/api/charts.ts'
import { segmentsOf, tasksOf } from '#src/charts/heatmap/test-path.ts'

/**
 * The prompt of each test where runs of different prompts have different tests. Tests whose names are paths already say
 * their task, so nothing is loaded for them.
 */
export function useTaskOfTest(experiment: Experiment, parameters: HeatmapParameters, { tests }: HeatmapSummary) {
  const isNeeded = useMemo(
    () => experiment.axes.prompts.length > 1 && tests.some(({ test }) => segmentsOf(test).length === 1),
    [experiment.axes.prompts.length, tests],
  )
  const { data, isLoading } = useQuery({
    ...chartOptions('tests', experiment.id, { ...parameters, groupBy: 'prompt' }),
    enabled: isNeeded,
  })
  const taskOf = useMemo(() => (isNeeded && data ? tasksOf(data.cells) : null), [isNeeded, data])
  return { taskOf, isLoading }
}
