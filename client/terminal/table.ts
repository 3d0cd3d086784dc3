import { visibleLine } from './visible-lines.ts'

type Cell = string | number | null | undefined

const segments = new Intl.Segmenter('en')
/** Letters that a terminal draws over two columns. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

export const widthOf = (text: string) =>
  [...segments.segment(text)].reduce((width, { segment }) => width + (wide.test(segment) ? 2 : 1), 0)

/** A table of aligned columns; numbers are at the right. The texts may come from anywhere. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [heads, ...rows.map((row) => row.map(textOf))]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))))
  const isNumeric = heads.map((_, column) => rows.length > 0 && rows.every((row) => isNumber(row[column])))
  const pad = (text: string, column: number) => {
    const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)))
    return isNumeric[column] ? space + text : text + space
  }
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** A table, or each row as a list of its fields where the table is wider than the terminal. */
export function tableOrRecords(heads: readonly string[], rows: readonly (readonly Cell[])[], columns: number | null) {
  const whole = table(heads, rows)
  if (columns === null || whole.split('\n').every((line) => widthOf(line) <= columns)) return whole
  const width = Math.max(...heads.map(widthOf))
  const field = (head: string, cell: Cell) => `  ${head}${' '.repeat(width - widthOf(head))}  ${textOf(cell)}\n`
  return rows
    .map((row, place) => `Row ${place + 1}\n${heads.map((head, column) => field(head, row[column])).join('')}`)
    .join('')
}

const textOf = (cell: Cell) => (cell === null || cell === undefined ? '–' : visibleLine(String(cell)))

const isNumber = (cell: Cell) =>
  cell === null ||
  cell === undefined ||
  cell === '–' ||
  (typeof cell === 'string' && /^\d+\/\d+$/.test(cell)) ||
  typeof cell === 'number' ||
  /^[<>≥]?[−+$-]?[$]?[\d.,]+( ?[%a-zA-Z]{1,5})?$/.test(cell)
