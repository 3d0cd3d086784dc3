import { type Hunk, hunksBetween } from '#src/editor/text-hunks.ts'

type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string }

/** A readable diff of two texts: a rewritten phrase is removed and added as a whole. */
export function diffParts(before: string, after: string): DiffPart[] {
  const parts: DiffPart[] = []
  let at = 0
  for (const { from, to, insert } of joinAcrossSpaces(before, hunksBetween(before, after))) {
    parts.push({ kind: 'same', text: before.slice(at, from) })
    parts.push({ kind: 'removed', text: before.slice(from, to) }, { kind: 'added', text: insert })
    at = to
  }
  return [...parts, { kind: 'same' as const, text: before.slice(at) }].filter(({ text }) => text !== '')
}

/** Whitespace alone doesn't count as common text. */
function joinAcrossSpaces(before: string, hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    const between = last && before.slice(last.to, hunk.from)
    if (last && between !== undefined && between.trim() === '')
      joined[joined.length - 1] = { from: last.from, to: hunk.to, insert: last.insert + between + hunk.insert }
    else joined.push(hunk)
  }
  return joined
}
