import type { Hunk } from '#src/editor/text-hunks.ts'
import type { Conflict, Merge } from './merge-texts.ts'

/** The resolution of a conflict: one side's text, both texts in a row, or new text. */
export type Resolution = 'mine' | 'theirs' | 'both' | { text: string }

export function resolvedText({ mine, theirs }: Conflict, resolution: Resolution): string {
  if (typeof resolution === 'object') return resolution.text
  if (resolution !== 'both') return resolution === 'mine' ? mine : theirs
  const [first, second] = [theirs, mine].map((text) => text.replace(/^\n+|\n+$/g, ''))
  const end = mine.endsWith('\n') ? '\n' : ''
  return first && second ? `${first}\n\n${second}${end}` : theirs.trim() === '' ? mine : theirs
}

/** The ordered changes that complete a merge: others' edits and the resolved conflicts. */
export function resolveConflicts({ changes, conflicts }: Merge, resolutions: readonly Resolution[]): Hunk[] {
  const settled = conflicts.map((conflict, at) => ({
    from: conflict.from,
    to: conflict.to,
    insert: resolvedText(conflict, resolutions[at] ?? 'mine'),
  }))
  return [...changes, ...settled].toSorted((a, b) => a.from - b.from || a.to - b.to)
}
