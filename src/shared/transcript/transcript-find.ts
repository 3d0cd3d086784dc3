import type { Turn } from '#contract/transcripts.ts'
import type { AnsiSpan, AnsiStyle } from '#src/ui/ansi.ts'

/** One match: the index of the turn and the range in its text. */
export type Match = { index: number; start: number; end: number }

/** Nobody steps through more matches than this; the count shows `10,000+`. */
export const maxMatches = 10_000

/** Ignores case and matches literally. Offsets refer to the original text, even if case folding changes its length. */
export function findInTurns(turns: readonly Turn[], search: string): Match[] {
  if (search.trim() === '') return []
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')
  const matches: Match[] = []
  for (const [index, { text, summary = '' }] of turns.entries()) {
    const before = matches.length
    for (const found of text.matchAll(pattern)) {
      matches.push({ index, start: found.index, end: found.index + found[0].length })
      if (matches.length >= maxMatches) return matches
    }
    // The arguments of a call escape what its line shows.
    if (matches.length === before && summary.search(pattern) !== -1) matches.push({ index, start: 0, end: 0 })
  }
  return matches
}

/** The first match at or after a turn; wraps around to the first. */
export function matchFrom(matches: readonly Match[], index: number) {
  const next = matches.findIndex((match) => match.index >= index)
  return next === -1 ? 0 : next
}

export type NumberedMatch = Match & { number: number }

/** Maps a turn's index to its matches, numbered across the whole search. */
export function matchesByTurn(matches: readonly Match[]): ReadonlyMap<number, NumberedMatch[]> {
  const byTurn = new Map<number, NumberedMatch[]>()
  for (const [number, match] of matches.entries()) {
    const list = byTurn.get(match.index) ?? []
    list.push({ ...match, number })
    byTurn.set(match.index, list)
  }
  return byTurn
}

/** A part of a text split at its matches and styles; `match` is its number across the whole search. */
export type Piece = { at: number; text: string; match: number | null; style?: AnsiStyle }

export function splitAtMatches(text: string, matches: readonly NumberedMatch[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end, number } of matches) {
    if (start >= text.length) break
    if (start > at) pieces.push({ at, text: text.slice(at, start), match: null })
    pieces.push({ at: start, text: text.slice(start, end), match: number })
    at = end
  }
  if (at < text.length) pieces.push({ at, text: text.slice(at), match: null })
  return pieces
}

/** Splits the text again at the start and end of each terminal style. A match in two styles becomes two pieces. */
export function splitAtStyles(pieces: Piece[], spans: readonly AnsiSpan[]): Piece[] {
  if (spans.length === 0) return pieces
  const cut: Piece[] = []
  let next = 0
  for (const { at, text, match } of pieces) {
    const end = at + text.length
    let from = at
    while (from < end) {
      while (endOf(spans[next]) <= from) next += 1
      const span = spans[next]
      const isInside = span !== undefined && span.at <= from
      const to = Math.min(end, isInside ? endOf(span) : (span?.at ?? end))
      cut.push({ at: from, text: text.slice(from - at, to - at), match, ...(isInside && { style: span.style }) })
      from = to
    }
  }
  return cut
}

const endOf = (span: AnsiSpan | undefined) => (span ? span.at + span.text.length : Infinity)

/** The most text a browser lays out at once; it skips chunks out of sight. */
const chunkCharacters = 12_000

/** Splits long text into blocks, at line ends if possible. Matches are never split. */
export function toChunks(pieces: readonly Piece[]): Piece[][] {
  const chunks: Piece[][] = [[]]
  let room = chunkCharacters
  for (const { at, text, ...kind } of pieces) {
    let from = 0
    while (text.length - from > room) {
      if (kind.match !== null) break
      const [end, next] = cutNear(text, from + Math.max(1, room))
      chunks.at(-1)?.push({ at: at + from, text: text.slice(from, end), ...kind })
      chunks.push([])
      from = next
      room = chunkCharacters
    }
    if (from < text.length) chunks.at(-1)?.push({ at: at + from, text: text.slice(from), ...kind })
    room -= text.length - from
  }
  return chunks.filter((chunk) => chunk.length > 0)
}

/**
 * The end of a block and the start of the next. A nearby line end is dropped, because a block ends a line by itself.
 */
function cutNear(text: string, wanted: number): [end: number, next: number] {
  const newline = text.indexOf('\n', wanted)
  if (newline !== -1 && newline < wanted + chunkCharacters) return [newline, newline + 1]
  // Never splits a surrogate pair, which would show two broken characters.
  const end = /[\uD800-\uDBFF]/.test(text[wanted - 1] ?? '') ? wanted + 1 : wanted
  return [end, end]
}
