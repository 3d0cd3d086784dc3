import type { Presentation } from '#contract/insight-fields.ts'
import type { ResultColumn } from '#contract/queries.ts'
import { kindOf } from './values.ts'

export type ChartKind = Exclude<Presentation['kind'], 'table'>

export const chartKinds: readonly { kind: ChartKind; label: string }[] = [
  { kind: 'bar', label: 'Bar' },
  { kind: 'line', label: 'Line' },
  { kind: 'scatter', label: 'Scatter' },
  { kind: 'box', label: 'Box' },
  { kind: 'heatmap', label: 'Heatmap' },
  { kind: 'number', label: 'Number' },
]

function columnsByKind(columns: readonly ResultColumn[]) {
  const named = (kind: string) => columns.filter((column) => kindOf(column) === kind).map(({ name }) => name)
  return { numbers: named('number'), times: named('time'), texts: named('text') }
}

/** The default chart of a result, based on its column types. Null if nothing can be drawn. */
export function suggestChart(columns: readonly ResultColumn[], rowCount: number): Presentation | null {
  const { numbers, times, texts } = columnsByKind(columns)
  if (numbers.length === 0 || rowCount === 0) return null
  if (rowCount === 1) return fillRoles('number', columns)
  if (times.length > 0) return fillRoles('line', columns)
  if (texts.length === 2 && rowCount > 3) return fillRoles('heatmap', columns)
  if (texts.length > 0) return fillRoles('bar', columns)
  return fillRoles(numbers.length > 1 ? 'scatter' : 'box', columns)
}

/** A kind of chart with the columns that fit its roles, in the order the result has them. */
export function fillRoles(kind: ChartKind, columns: readonly ResultColumn[]): Presentation {
  const { numbers, times, texts } = columnsByKind(columns)
  const [text, secondText] = texts
  const [number, secondNumber] = numbers
  switch (kind) {
    case 'number':
      return { kind, ...roles({ y: number }) }
    case 'line':
      return times[0] || !number
        ? { kind, ...roles({ x: times[0], y: number, series: text }) }
        : { kind, ...roles({ x: text ?? number, y: text ? number : secondNumber, series: secondText }) }
    case 'bar':
      return {
        kind,
        ...roles({ x: text ?? times[0] ?? columns[0]?.name, y: lastOf(numbers, text), series: secondText }),
      }
    case 'scatter':
      return { kind, ...roles({ x: secondNumber ? number : times[0], y: secondNumber ?? number, series: text }) }
    case 'box':
      return { kind, ...roles({ x: text, y: number }) }
    case 'heatmap':
      return { kind, ...roles({ x: secondText ?? times[0], series: text, y: number }) }
  }
}

/** Without a text column the first number names the bars. */
const lastOf = (numbers: readonly string[], text: string | undefined) =>
  text === undefined && numbers.length > 1 ? numbers[1] : numbers[0]

const roles = ({ x, y, series }: { x?: string | undefined; y?: string | undefined; series?: string | undefined }) => ({
  ...(x !== undefined && { x }),
  y: y === undefined ? [] : [y],
  ...(series !== undefined && series !== x && { series }),
})

const needs: Record<ChartKind, readonly ('x' | 'y' | 'series')[]> = {
  number: ['y'],
  line: ['x', 'y'],
  bar: ['x', 'y'],
  scatter: ['x', 'y'],
  box: ['y'],
  heatmap: ['x', 'y', 'series'],
}

const roleNames = { x: 'a column for the X axis', y: 'a numeric column', series: 'a column for the Y axis' } as const

/** The reason a result can't be drawn like this; null if it can. */
export function whyNotDrawn(presentation: Presentation, columns: readonly ResultColumn[]): string | null {
  const { kind, x, y, series } = presentation
  if (kind === 'table') return null
  const missing = needs[kind].filter((role) => (role === 'y' ? y.length === 0 : !presentation[role]))
  if (missing.length > 0) return `This chart needs ${missing.map((role) => roleNames[role]).join(' and ')}.`
  const gone = [x, ...y, series].find((name) => name && !columns.some((column) => column.name === name))
  if (gone) return `The result has no column “${gone}”.`
  const textual = y.find((name) => columns.some((column) => column.name === name && kindOf(column) !== 'number'))
  if (textual) return `“${textual}” isn’t numeric.`
  const across = columns.find(({ name }) => name === x)
  if (kind === 'scatter' && across && kindOf(across) === 'text') return `“${x}” isn’t numeric or a time.`
  return null
}
