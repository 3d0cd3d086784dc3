import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import { type Hunk, hunksBetween } from '#src/editor/text-hunks.ts'
import { applyChanges } from './changes.ts'
import { isInsertion, isSame, orderOf } from './hunk-conflicts.ts'
import { type Region, regionsOfConflict } from './regions.ts'

/**
 * One or more adjacent paragraphs that both sides changed in the same place. `from` and `to` are positions in my text.
 */
export type Conflict = { from: number; to: number; base: string; mine: string; theirs: string }

/**
 * The changes that bring others' edits into my text, and the conflicts, all in positions of my text. They don't
 * overlap.
 */
export type Merge = { changes: Hunk[]; conflicts: Conflict[] }

/**
 * Merges others' edits of a text into mine. Edits of different words are combined. Edits of the same words, or an edit
 * of words that the other side deleted, are a conflict of their paragraph. Paragraphs that both sides insert at one
 * position are kept one after the other. Text from either side is always in the merge or in a conflict.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merge {
  // Saved bodies end with a line break. My text may lack it while I am typing.
  const isOpen = mine !== '' && !mine.endsWith('\n')
  const merge = mergeClosed(base, isOpen ? `${mine}\n` : mine, theirs)
  return isOpen ? withoutLastLineEnd(merge, mine.length) : merge
}

function mergeClosed(base: string, mine: string, theirs: string): Merge {
  const mineHunks = hunksBetween(base, mine)
  const theirHunks = hunksBetween(base, theirs)
  const regions = regionsOfConflict(base, mineHunks, theirHunks)
  const settled = theirHunks.filter((hunk) => !regions.some(({ theirs }) => theirs.includes(hunk)))
  const conflicts = regions.map((region) => toConflict(base, region, mineHunks))
  const changes = settled
    .filter((hunk) => !mineHunks.some((other) => isSame(hunk, other)))
    .map((hunk) => inMine(hunk, mineHunks))
  return {
    // Blanks that I typed where others wrote words don't count as my text.
    changes: [
      ...changes,
      ...conflicts.filter(isOnlyBlanks).map(({ from, to, theirs }) => ({ from, to, insert: theirs })),
    ].toSorted((a, b) => a.from - b.from || a.to - b.to),
    conflicts: conflicts.filter((conflict) => !isOnlyBlanks(conflict)),
  }
}

const isOnlyBlanks = ({ base, mine }: Conflict) => canonicalMarkdown(mine) === canonicalMarkdown(base)

/** Moves their hunk to positions of my text. */
function inMine(hunk: Hunk, mineHunks: readonly Hunk[]): Hunk {
  const shift = (position: number, countsInsertionThere: (other: Hunk) => boolean) =>
    mineHunks
      .filter(
        (other) =>
          other.to < position || (other.to === position && (!isInsertion(other) || countsInsertionThere(other))),
      )
      .reduce((sum, { from, to, insert }) => sum + insert.length - (to - from), position)
  if (isInsertion(hunk)) {
    const at = shift(hunk.from, (other) => orderOf(other, hunk) === 'mine first')
    return { from: at, to: at, insert: hunk.insert }
  }
  return { from: shift(hunk.from, () => true), to: shift(hunk.to, () => false), insert: hunk.insert }
}

function toConflict(base: string, { from, to, mine, theirs }: Region, mineHunks: readonly Hunk[]): Conflict {
  const text = base.slice(from, to)
  const inside = (hunks: readonly Hunk[]) =>
    applyChanges(
      text,
      hunks.map((hunk) => ({ ...hunk, from: hunk.from - from, to: hunk.to - from })),
    )
  const start = mineHunks
    .filter((hunk) => hunk.to <= from && !mine.includes(hunk))
    .reduce((sum, hunk) => sum + hunk.insert.length - (hunk.to - hunk.from), from)
  const mineText = inside(mine)
  return { from: start, to: start + mineText.length, base: text, mine: mineText, theirs: inside(theirs) }
}

/** Converts the merge back to a text without a final line break. A change after the end gets the line break. */
function withoutLastLineEnd({ changes, conflicts }: Merge, length: number): Merge {
  const clamp = (position: number) => Math.min(position, length)
  let isClosed = false
  return {
    changes: changes.map(({ from, to, insert }) => {
      const closes = from > length && !isClosed
      isClosed ||= closes
      return { from: clamp(from), to: clamp(to), insert: closes ? `\n${insert}` : insert }
    }),
    conflicts: conflicts.map((conflict) => ({
      ...conflict,
      from: clamp(conflict.from),
      to: clamp(conflict.to),
      mine: conflict.to > length ? conflict.mine.slice(0, -1) : conflict.mine,
    })),
  }
}
