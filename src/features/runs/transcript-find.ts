import type { Turn } from '#contract/runs.ts'

/** One place a search found: which turn of the list, and where in its text. */
export type Match = { index: number; start: number; end: number }

/** Beyond this nobody steps through matches; the count says `10,000+`. */
export const maxMatches = 10_000

/** Case-insensitive and literal. Offsets are those of the text itself, whatever folding does to its length. */
export function findInTurns(turns: readonly Turn[], search: string): Match[] {
  if (search.trim() === '') return []
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')
  const matches: Match[] = []
  for (const [index, { text }] of turns.entries()) {
    for (const found of text.matchAll(pattern)) {
      matches.push({ index, start: found.index, end: found.index + found[0].length })
      if (matches.length >= maxMatches) return matches
    }
  }
  return matches
}

/** The first match at or after a turn, from where a reader stands; wraps round to the first. */
export function matchFrom(matches: readonly Match[], index: number) {
  const next = matches.findIndex((match) => match.index >= index)
  return next === -1 ? 0 : next
}

export type NumberedMatch = Match & { number: number }

/** Turn's place in the list → its matches, numbered as in the whole search. */
export function matchesByTurn(matches: readonly Match[]): ReadonlyMap<number, NumberedMatch[]> {
  const byTurn = new Map<number, NumberedMatch[]>()
  for (const [number, match] of matches.entries()) {
    const list = byTurn.get(match.index) ?? []
    list.push({ ...match, number })
    byTurn.set(match.index, list)
  }
  return byTurn
}

/** A text cut at its matches; `match` is the match's number in the whole search. */
export type Piece = { at: number; text: string; match: number | null }

export function cutAtMatches(text: string, matches: readonly NumberedMatch[]): Piece[] {
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
