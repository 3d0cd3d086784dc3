/** Clips keep only the start of long text. */
const most = { lines: 40, characters: 4000 }

/** Text quoted in a clip, with the number of omitted characters. */
export function shorten(text: string): string {
  const lines = text.slice(0, most.characters).split('\n').slice(0, most.lines)
  const shown = lines.join('\n')
  return shown.length < text.trimEnd().length
    ? `${shown}\n… ${(text.length - shown.length).toLocaleString('en')} more characters`
    : text
}

/** Rows as aligned columns; `rowCount` counts all rows. */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  rowCount = rows.length,
): string {
  const shown = rows.slice(0, most.lines - 2).map((row) => row.map(oneLine))
  const widths = head.map((name, place) =>
    Math.min(48, Math.max(name.length, ...shown.map((row) => row[place]?.length ?? 0))),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd()
  const rest = rowCount - shown.length
  return [line(head), ...shown.map(line), ...(rest > 0 ? [`… ${rest.toLocaleString('en')} more`] : [])].join('\n')
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
