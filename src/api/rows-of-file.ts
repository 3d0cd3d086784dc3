const [quote, lineFeed] = [0x22, 0x0a]
const parquetMark = 'PAR1'

/**
 * Counts the rows of a file while it arrives, by its media type. A CSV has a line of names first, and its cells can
 * contain line breaks in quotes. Returns null for other types.
 */
export function countRows(type: string) {
  const isCsv = type.startsWith('text/csv')
  if (!isCsv && !type.startsWith('application/x-ndjson')) return null
  let lines = 0
  let isQuoted = false
  return {
    push(part: Uint8Array) {
      for (const byte of part) {
        if (byte === lineFeed && !isQuoted) lines += 1
        else if (isCsv && byte === quote) isQuoted = !isQuoted
      }
    },
    rows: () => (isCsv ? Math.max(0, lines - 1) : lines),
  }
}

/** A Parquet file ends with the same four letters that it starts with. */
export function endsLikeParquet(parts: readonly Uint8Array[]) {
  const end = parts.slice(-4).flatMap((part) => Array.from(part.slice(-4)))
  return String.fromCharCode(...end.slice(-4)) === parquetMark
}
