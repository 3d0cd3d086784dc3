import { type ChartKind, ChartParameters, HeatmapParameters, MetricParameters } from '#contract/charts.ts'
import { toCamelCaseFields } from '#contract/wire/field-names.ts'
import { readSent } from '#contract/read-sent.ts'
import { invalidFields } from '#platform/failures/failure.ts'

/** A misspelled filter would silently widen the population, so unknown names are refused. */
export const parametersOf = {
  tests: HeatmapParameters.strict(),
  scatter: ChartParameters.strict(),
  metric: MetricParameters.strict(),
} as const satisfies Record<ChartKind, unknown>

export type ParametersOf = { tests: HeatmapParameters; scatter: ChartParameters; metric: MetricParameters }

/**
 * The parameters of one kind of chart, in either spelling, with defaults. Errors: `invalid_argument` for each fault.
 */
export function readParameters<Kind extends ChartKind>(kind: Kind, sent: unknown): ParametersOf[Kind] {
  const { data, faults } = readSent(parametersOf[kind], toCamelCaseFields(sent ?? {}))
  if (faults) throw invalidFields(faults.map(({ path, message }) => ({ path: ['parameters', ...path], message })))
  return data as ParametersOf[Kind]
}
