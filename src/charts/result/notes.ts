import { counted } from '#src/format/numbers.ts'
import type { Series } from './read-series.ts'

/** A chart of more rows than these is read as a table. */
export const maxRows = 60

export const tooManyNote = (there: number, what: string) =>
  there > maxRows ? [`The first ${maxRows} of ${there} ${what}; the table has all.`] : []

export const missingNote = (missing: number) =>
  missing > 0 ? [`${counted(missing, 'value')} missing, and left out.`] : []

/** Marks of several rows at one place: the reader sees one of them. */
export function hiddenNote(series: readonly Series[], what: string): string[] {
  const marks = series.flatMap(({ data }) => data).length
  const places = series.reduce((sum, { data }) => sum + new Set(data.map(({ x }) => x)).size, 0)
  return marks > places
    ? [`${counted(marks - places, 'row')} hidden behind another of the same ${what}: group them in the query.`]
    : []
}
