import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import { type Hunk, hunksBetween } from '#src/editor/text-hunks.ts'
import { applyChanges } from './changes.ts'
import { isInsertion, isSame, orderOf } from './hunk-conflicts.ts'
import { type Region, regionsOfConflict } from './regions.ts'

/** A paragraph, or several in a row, that both sides changed in the same place. `from` to `to` is where it stands in mine. */
export type Conflict = { from: number; to: number; base: string; mine: string; theirs: string }

/** What brings others' edits into my text, both in positions of my text; the two do not overlap. */
export type Merge = { changes: Hunk[]; conflicts: Conflict[] }

/**
 * Merges what others made of a text into what I made of it. Edits of different words go together; edits of the same
 * words, and one side's edit of what the other deleted, are a conflict of their paragraph. What both inserted at one
 * place is kept in a row when each is paragraphs of its own. Nothing either side wrote is ever left out of both.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merge {
  // Stored bodies end with a line end. Mine may not yet, while it is typed.
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
    // Spaces I typed where they wrote words are no text of mine.
    changes: [
      ...changes,
      ...conflicts.filter(isOnlyBlanks).map(({ from, to, theirs }) => ({ from, to, insert: theirs })),
    ].toSorted((a, b) => a.from - b.from || a.to - b.to),
    conflicts: conflicts.filter((conflict) => !isOnlyBlanks(conflict)),
  }
}

const isOnlyBlanks = ({ base, mine }: Conflict) => canonicalMarkdown(mine) === canonicalMarkdown(base)

/** Their hunk, in positions of my text. */
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

/** Back to a text whose last line is open: what goes behind its line end brings one along. */
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
