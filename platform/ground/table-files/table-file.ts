/** A value of a cell. Lists and objects are written as JSON where a format has only text. */
type CellValue = string | number | boolean | null

export type FileColumn = {
  name: string
  type: 'text' | 'integer' | 'long' | 'float' | 'boolean' | 'date' | 'time' | 'json'
}

/** Each row has one value per column. A time is RFC 3339 in UTC, a date `YYYY-MM-DD`, a `json` value any JSON. */
export type FileRow = readonly unknown[]

export type TableFile = { columns: readonly FileColumn[]; batches: AsyncIterable<readonly FileRow[]> }

export const toCell = (value: unknown): CellValue => {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : (value as CellValue)
}
