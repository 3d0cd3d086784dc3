import type { Hunk } from '#src/editor/text-hunks.ts'

export const isSame = (a: Hunk, b: Hunk) => a.from === b.from && a.to === b.to && a.insert === b.insert

export const isInsertion = ({ from, to }: Hunk) => from === to

/**
 * The order of two insertions at the same position that leaves a blank line between them; undefined if neither order
 * does.
 */
export function orderOf(mine: Hunk, theirs: Hunk): 'theirs first' | 'mine first' | undefined {
  const parts = (first: string, second: string) =>
    first.endsWith('\n') && (/\n[ \t]*\n$/.test(first) || second.startsWith('\n'))
  if (parts(theirs.insert, mine.insert)) return 'theirs first'
  return parts(mine.insert, theirs.insert) ? 'mine first' : undefined
}

/**
 * Whether two different edits change the same place: they overlap or touch inside a line, where merging "63" and "62.5"
 * for "62" would give "63.5". At the start of a line, inserted whole lines may touch the other side's change.
 */
export function conflictsWith(base: string, mine: Hunk, theirs: Hunk): boolean {
  if (isSame(mine, theirs)) return false
  if (mine.from < theirs.to && theirs.from < mine.to) return true
  const place = mine.from === theirs.to ? mine.from : theirs.from === mine.to ? theirs.from : undefined
  if (place === undefined) return false
  if (place > 0 && base[place - 1] !== '\n') return true
  if (isInsertion(mine) && isInsertion(theirs)) return orderOf(mine, theirs) === undefined
  return [mine, theirs].some((hunk) => isInsertion(hunk) && !hunk.insert.endsWith('\n'))
}
