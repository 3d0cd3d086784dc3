import type { Presentation } from '#contract/insight-fields.ts'
import { hiddenNote, maxRows, missingNote, tooManyNote } from './notes.ts'
import { readSeries, valueWithRange } from './read-series.ts'
import { shortFormat, shortNumber, type Table } from './values.ts'

const steps = 10

/** A cell with its value in full and, where there is little room, in short. `step` is the strength of its color. */
type Cell = {
  column: number
  row: number
  step: number
  exact: string
  short: string
  words: string
  resultRow: number
}

export type HeatmapPlan = { columns: string[]; rows: string[]; cells: Cell[] }

/** `x` as columns, `series` as rows; a stronger color means a greater value. An empty cell has no value. */
export function planHeatmap(table: Table, presentation: Presentation) {
  const read = readSeries(table, { ...presentation, y: presentation.y.slice(0, 1) }, true)
  const [columns, down] = [read.categories.slice(0, maxRows), read.series.slice(0, maxRows)]
  const shown = down.map((one) => ({ ...one, data: one.data.filter(({ x }) => x < columns.length) }))
  const values = shown.flatMap(({ data }) => data.map(({ y }) => y))
  const format = shortFormat(values)
  const low = values.reduce((least, value) => Math.min(least, value), Infinity)
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity)
  const cells = shown.flatMap(({ name, data }, row) =>
    data.map((datum): Cell => ({
      column: datum.x,
      row,
      step: high > low ? Math.round(((datum.y - low) / (high - low)) * (steps - 1)) : steps - 1,
      exact: format(datum.y),
      short: shortNumber(datum.y),
      words: `${name}, ${datum.category}: ${valueWithRange(datum)}`,
      resultRow: datum.row,
    })),
  )
  return {
    kind: 'heatmap' as const,
    columns,
    rows: down.map(({ name }) => name),
    cells,
    notes: [
      ...(values.length > 0 ? [`${presentation.y[0]} from ${format(low)} to ${format(high)}.`] : []),
      ...tooManyNote(read.categories.length, 'columns'),
      ...tooManyNote(read.series.length, 'rows'),
      ...hiddenNote(shown, 'cell'),
      ...missingNote(read.missing),
    ],
    marks: cells.length,
  }
}
