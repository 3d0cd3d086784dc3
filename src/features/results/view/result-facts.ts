import type { Experiment } from '#contract/experiments.ts'
import type { ChartScope } from '#src/copy-as/sql-parts.ts'
import { shortId } from '#src/format/ids.ts'
import { chartFilters, groupLabelOf } from './results-parameters.ts'

/** The name of the resolved version. */
export const describeVersion = (version: string, { fingerprint, ordinal }: Experiment) =>
  version === 'all' ? 'all versions' : version === fingerprint ? `v${ordinal}` : `version ${shortId(version)}`

/** The parameters that a number on the results page depends on. */
export const resultFacts = (experiment: Experiment, { parameters, version }: ChartScope): string[] => [
  `${experiment.name}, ${describeVersion(version, experiment)}`,
  `by ${groupLabelOf(parameters.groupBy).toLowerCase()}`,
  ...chartFilters.flatMap(({ name, label }) =>
    parameters[name].length > 0 ? [`${label.toLowerCase()}: ${parameters[name].join(', ')}`] : [],
  ),
  ...('testSearch' in parameters && parameters.testSearch ? [`tests named “${parameters.testSearch}”`] : []),
  ...(parameters.fullPassOnly ? ['fully passing runs only'] : []),
  ...(parameters.includeTestAware ? ['test-aware runs included'] : []),
]
