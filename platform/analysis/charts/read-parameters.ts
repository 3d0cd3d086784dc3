import { type ChartKind, charts, type ParametersOf } from '#contract/chart-kinds.ts'
import { toCamelCaseFields } from '#contract/wire/field-names.ts'
import { readSent } from '#contract/read-sent.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'

/**
 * The parameters of one kind of chart, in either spelling, defaults filled in; `invalid_argument` names the wrong ones.
 * An unknown name is wrong too: a misspelled parameter would silently widen the population.
 */
export function readParameters<Kind extends ChartKind>(kind: Kind, sent: unknown): ParametersOf<Kind> {
  const { data, faults } = readSent(charts[kind].parameters, toCamelCaseFields(sent ?? {}))
  if (faults) throw invalidFields(faults.map(({ path, message }) => ({ path: ['parameters', ...path], message })))
  return data as ParametersOf<Kind>
}
