import { counted } from '#src/format/numbers.ts'
import type { Series } from './read-series.ts'

/** Charts show at most this many rows. */
export const maxRows = 60

export const tooManyNote = (there: number, what: string) =>
  there > maxRows ? [`Showing ${maxRows} of ${there} ${what}. See Table for all.`] : []

export const missingNote = (missing: number) => (missing > 0 ? [`${counted(missing, 'missing value')} omitted.`] : [])

/** Several rows may have marks in the same place, where only one is visible. */
export function hiddenNote(series: readonly Series[], what: string): string[] {
  const marks = series.flatMap(({ data }) => data).length
  const places = series.reduce((sum, { data }) => sum + new Set(data.map(({ x }) => x)).size, 0)
  return marks > places
    ? [`${counted(marks - places, 'row')} hidden behind another with the same ${what}. Aggregate them in the query.`]
    : []
}
