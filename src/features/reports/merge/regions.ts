import type { Hunk } from '#src/editor/text-hunks.ts'
import { conflictsWith } from './hunk-conflicts.ts'

/** Whole paragraphs of the base with all hunks of both sides inside them. */
export type Region = { from: number; to: number; mine: Hunk[]; theirs: Hunk[] }

/** The paragraphs where both sides changed the same place, ordered and disjoint. */
export function regionsOfConflict(base: string, mine: readonly Hunk[], theirs: readonly Hunk[]): Region[] {
  const clashes = theirs.flatMap((their) =>
    mine
      .filter((my) => conflictsWith(base, my, their))
      .map((my) => around(base, Math.min(my.from, their.from), Math.max(my.to, their.to))),
  )
  let spans = joinOverlapping(clashes)
  for (;;) {
    const wider = joinOverlapping(
      spans.map((span) => {
        const inside = [...mine, ...theirs].filter((hunk) => belongs(hunk, span))
        return around(
          base,
          Math.min(span.from, ...inside.map(({ from }) => from)),
          Math.max(span.to, ...inside.map(({ to }) => to)),
        )
      }),
    )
    const isStable =
      wider.length === spans.length &&
      wider.every(({ from, to }, at) => from === spans[at]?.from && to === spans[at]?.to)
    spans = wider
    if (isStable) break
  }
  return spans.map((span) => ({
    ...span,
    mine: mine.filter((hunk) => belongs(hunk, span)),
    theirs: theirs.filter((hunk) => belongs(hunk, span)),
  }))
}

type Range = { from: number; to: number }

const belongs = ({ from, to }: Range, span: Range) =>
  (from < span.to && to > span.from) || (from === to && from >= span.from && from <= span.to)

/** The range between the surrounding blank lines. */
function around(base: string, from: number, to: number): Range {
  let start = from
  while (start > 0 && !(base[start - 1] === '\n' && (start === 1 || base[start - 2] === '\n'))) start -= 1
  let end = to
  while (end < base.length && !(base[end] === '\n' && (end === 0 || base[end - 1] === '\n'))) end += 1
  return { from: start, to: end }
}

function joinOverlapping(ranges: Range[]): Range[] {
  const joined: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && range.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else joined.push(range)
  }
  return joined
}
