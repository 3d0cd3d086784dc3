import type { Presentation } from '#contract/insight-fields.ts'
import type { ResultColumn } from '#contract/queries.ts'
import { type PresentationKind, presentationKinds, type ColumnNames } from './presentation-kinds.ts'
import { kindOf } from './values.ts'

function namesByKind(columns: readonly ResultColumn[]): ColumnNames {
  const named = (kind: string) => columns.filter((column) => kindOf(column) === kind).map(({ name }) => name)
  return {
    all: columns.map(({ name }) => name),
    numbers: named('number'),
    times: named('time'),
    texts: named('text'),
  }
}

/** The default chart of a result, based on its column types. Null if nothing can be drawn. */
export function suggestChart(columns: readonly ResultColumn[], rowCount: number): Presentation | null {
  const { numbers, times, texts } = namesByKind(columns)
  if (numbers.length === 0 || rowCount === 0) return null
  if (rowCount === 1) return fillRoles('number', columns)
  if (times.length > 0) return fillRoles('line', columns)
  if (texts.length === 2 && rowCount > 3) return fillRoles('heatmap', columns)
  if (texts.length > 0) return fillRoles('bar', columns)
  return fillRoles(numbers.length > 1 ? 'scatter' : 'box', columns)
}

/** A kind of chart with the columns that suit it. */
export function fillRoles(kind: PresentationKind, columns: readonly ResultColumn[]): Presentation {
  const { x, y, series } = presentationKinds[kind].suggest(namesByKind(columns))
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
