import type { Experiment } from '#contract/experiments.ts'
import type { ChartScope } from '#src/shared/copy-as/sql-parts.ts'
import { chartFilters } from '#src/shared/leaderboard/group-runs.ts'
import { groupLabelOf } from './results-parameters.ts'

/** The parameters that a number on the results page depends on, with the name of the resolved version. */
export const resultFacts = (experiment: Experiment, version: string, { parameters }: ChartScope): string[] => [
  `${experiment.name}, ${version}`,
  `by ${groupLabelOf(parameters.groupBy).toLowerCase()}`,
  ...chartFilters.flatMap(({ name, label }) =>
    parameters[name].length > 0 ? [`${label.toLowerCase()}: ${parameters[name].join(', ')}`] : [],
  ),
  ...('testSearch' in parameters && parameters.testSearch ? [`tests named “${parameters.testSearch}”`] : []),
  ...(parameters.fullPassOnly ? ['fully passing runs only'] : []),
  ...(parameters.includeTestAware ? ['test-aware runs included'] : []),
]
