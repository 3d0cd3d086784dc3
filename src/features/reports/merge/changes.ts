import type { Hunk } from '#src/editor/text-hunks.ts'

/** Applies changes, which must be ordered and must not overlap. */
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
 * Maps a position to the changed text. With `before`, text inserted at the position comes after it; with `after`,
 * before it. A position inside replaced text moves to that end of the replacement.
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
