import type { Hunk } from '#src/editor/text-hunks.ts'

/** The text after changes that are in order and do not overlap. */
export function applyChanges(text: string, changes: readonly Hunk[]): string {
  let result = ''
  let at = 0
  for (const { from, to, insert } of changes) {
    result += text.slice(at, from) + insert
    at = to
  }
  return result + text.slice(at)
}

/**
 * Where a position of the text is after the changes. Text inserted right there comes behind it (`before`) or in front of
 * it (`after`); a position inside replaced text goes to that side of what replaced it.
 */
export function mapPosition(position: number, changes: readonly Hunk[], stay: 'before' | 'after' = 'before'): number {
  let shift = 0
  for (const { from, to, insert } of changes) {
    if (from > position || (from === position && to > position)) break
    if (to > position || (from === to && from === position)) {
      return from + shift + (stay === 'before' ? 0 : insert.length)
    }
    shift += insert.length - (to - from)
  }
  return position + shift
}
