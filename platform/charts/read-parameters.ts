import { type ChartKind, ChartParameters, HeatmapParameters, MetricParameters } from '#contract/charts.ts'
import { toCamelCaseFields } from '#contract/wire/field-names.ts'
import { invalid } from '#platform/failure.ts'

/** A misspelled parameter would silently widen the population, so unknown names are refused. */
export const parametersOf = {
  tests: HeatmapParameters.strict(),
  scatter: ChartParameters.strict(),
  metric: MetricParameters.strict(),
} as const satisfies Record<ChartKind, unknown>

export type ParametersOf = { tests: HeatmapParameters; scatter: ChartParameters; metric: MetricParameters }

/** The parameters of one kind of chart, in either spelling, defaults filled in; `invalid_argument` says which are wrong. */
export function readParameters<Kind extends ChartKind>(kind: Kind, sent: unknown): ParametersOf[Kind] {
  const parsed = parametersOf[kind].safeParse(toCamelCaseFields(sent ?? {}))
  if (parsed.success) return parsed.data as ParametersOf[Kind]
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: ['parameters', ...path].join('.'), message }))
  throw invalid(
    `Invalid chart parameters: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    issues,
  )
}
