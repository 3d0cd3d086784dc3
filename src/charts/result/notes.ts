import { counted } from '#src/format/numbers.ts'

/** A chart of more rows than these is read as a table. */
export const mostRows = 60

export const tooManyNote = (there: number, what: string) =>
  there > mostRows ? [`The first ${mostRows} of ${there} ${what}; the table has all.`] : []

export const missingNote = (missing: number) =>
  missing > 0 ? [`${counted(missing, 'value')} missing, and left out.`] : []
