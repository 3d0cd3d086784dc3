import type { Hunk } from '#src/editor/text-hunks.ts'
import type { Conflict, Merge } from './merge-texts.ts'

/** What becomes of a paragraph that both changed: one side's text, both in a row, or what the reader wrote instead. */
export type Resolution = 'mine' | 'theirs' | 'both' | { text: string }

export function resolvedText({ mine, theirs }: Conflict, resolution: Resolution): string {
  if (typeof resolution === 'object') return resolution.text
  if (resolution !== 'both') return resolution === 'mine' ? mine : theirs
  const [first, second] = [theirs, mine].map((text) => text.replace(/^\n+|\n+$/g, ''))
  const end = mine.endsWith('\n') ? '\n' : ''
  return first && second ? `${first}\n\n${second}${end}` : theirs.trim() === '' ? mine : theirs
}

/** Everything that brings a merge into my text, in order: others' edits, and each conflict as it was resolved. */
export function resolveConflicts({ changes, conflicts }: Merge, resolutions: readonly Resolution[]): Hunk[] {
  const settled = conflicts.map((conflict, at) => ({
    from: conflict.from,
    to: conflict.to,
    insert: resolvedText(conflict, resolutions[at] ?? 'mine'),
  }))
  return [...changes, ...settled].toSorted((a, b) => a.from - b.from || a.to - b.to)
}
