import type { Presentation } from '#contract/insight-fields.ts'
import type { ResultColumn } from '#contract/queries.ts'
import { columnNames } from './column-names.ts'
import { findIntervals } from './intervals.ts'
import { type PresentationKind, presentationKinds } from './presentation-kinds.ts'
import { kindOf, type Table } from './values.ts'

/** The default chart of a result, based on its columns and their values. Null if nothing can be drawn. */
export function suggestChart(table: Table): Presentation | null {
  const { numbers, times, texts, groups } = columnNames(table)
  const { length: rowCount } = table.rows
  if (numbers.length === 0 || rowCount === 0) return null
  if (rowCount === 1) return fillRoles('number', table)
  if (times.length > 0) return fillRoles('line', table)
  // A heatmap has no room for whiskers.
  if (texts.length === 2 && groups.length === 2 && rowCount > 3 && findIntervals(table).of.size === 0)
    return fillRoles('heatmap', table)
  if (texts.length > 0) return fillRoles('bar', table)
  return fillRoles(numbers.length > 1 ? 'scatter' : 'box', table)
}

/** A kind of chart with the columns that suit it. */
export function fillRoles(kind: PresentationKind, table: Table): Presentation {
  const { x, y, series } = presentationKinds[kind].suggest(columnNames(table))
  return {
    kind,
    ...(x !== undefined && { x }),
    y: y === undefined ? [] : [y],
    ...(series !== undefined && series !== x && { series }),
  }
}

const roleNames = { x: 'a column for the X axis', y: 'a numeric column', series: 'a column for the Y axis' } as const

/** The reason a result can't be drawn like this; null if it can. */
export function whyNotDrawn(presentation: Presentation, columns: readonly ResultColumn[]): string | null {
  const { kind, x, y, series } = presentation
  if (kind === 'table') return null
  const { needs, needsScale } = presentationKinds[kind]
  const missing = needs.filter((role) => (role === 'y' ? y.length === 0 : !presentation[role]))
  if (missing.length > 0) return `This chart needs ${missing.map((role) => roleNames[role]).join(' and ')}.`
  const gone = [x, ...y, series].find((name) => name && !columns.some((column) => column.name === name))
  if (gone) return `The result has no column “${gone}”.`
  const textual = y.find((name) => columns.some((column) => column.name === name && kindOf(column) !== 'number'))
  if (textual) return `“${textual}” isn’t numeric.`
  const across = columns.find(({ name }) => name === x)
  if (needsScale && across && kindOf(across) === 'text') return `“${x}” isn’t numeric or a time.`
  return null
}
