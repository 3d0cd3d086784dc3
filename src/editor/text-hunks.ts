import { diff } from '@codemirror/merge'

/** `from` to `to` of the first text became `insert`. */
export type Hunk = { from: number; to: number; insert: string }

/** One change with its positions in both texts. */
type Span = { fromA: number; toA: number; fromB: number; toB: number }

/**
 * The changes from one text to another, in order, never adjacent, in whole words. Lines are matched first, then words
 * within changed lines, so a moved paragraph is not matched letter by letter. For very different texts the changes are
 * coarser, but applied to `before` they always give `after`.
 */
export function hunksBetween(before: string, after: string): Hunk[] {
  const spans = lineSpans(before, after).flatMap(({ fromA, toA, fromB, toB }) =>
    fromA === toA || fromB === toB
      ? [{ fromA, toA, fromB, toB }]
      : diff(before.slice(fromA, toA), after.slice(fromB, toB), { scanLimit: 500 }).map((inner) =>
          widenToWords(
            { fromA: fromA + inner.fromA, toA: fromA + inner.toA, fromB: fromB + inner.fromB, toB: fromB + inner.toB },
            before,
            after,
          ),
        ),
  )
  return joinTouching(spans).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: after.slice(fromB, toB),
  }))
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Encodes each distinct line as one character below the surrogates, if there are few enough lines. */
const characterCount = 0xd800

function lineSpans(before: string, after: string): Span[] {
  const codes = new Map<string, number>()
  const encode = (lines: string[]) =>
    lines
      .map((line) => {
        const code = codes.get(line) ?? codes.size
        codes.set(line, code)
        return String.fromCharCode(code)
      })
      .join('')
  const [linesA, linesB] = [linesOf(before), linesOf(after)]
  const [encodedA, encodedB] = [encode(linesA), encode(linesB)]
  if (codes.size > characterCount) return [{ fromA: 0, toA: before.length, fromB: 0, toB: after.length }]
  const [startsA, startsB] = [startsOf(linesA), startsOf(linesB)]
  return diff(encodedA, encodedB, { scanLimit: 2000 }).map(({ fromA, toA, fromB, toB }) => ({
    fromA: startsA[fromA] ?? before.length,
    toA: startsA[toA] ?? before.length,
    fromB: startsB[fromB] ?? after.length,
    toB: startsB[toB] ?? after.length,
  }))
}

function startsOf(lines: string[]) {
  let start = 0
  return lines.map((line) => {
    const at = start
    start += line.length
    return at
  })
}

/** In scripts without spaces every character is a word. Surrogate pairs are never split. */
const isOfWord = (character: string | undefined) =>
  character !== undefined &&
  (/[\uD800-\uDFFF]/.test(character) ||
    (/[\p{L}\p{M}\p{N}_]/u.test(character) && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(character)))

function widenToWords(span: Span, before: string, after: string): Span {
  let { fromA, toA, fromB, toB } = span
  const holdsAt = (a: number, b: number) => (toA > fromA && isOfWord(before[a])) || (toB > fromB && isOfWord(after[b]))
  while (
    fromA > 0 &&
    fromB > 0 &&
    before[fromA - 1] === after[fromB - 1] &&
    isOfWord(before[fromA - 1]) &&
    holdsAt(fromA, fromB)
  ) {
    fromA -= 1
    fromB -= 1
  }
  while (toA < before.length && before[toA] === after[toB] && isOfWord(before[toA]) && holdsAt(toA - 1, toB - 1)) {
    toA += 1
    toB += 1
  }
  return { fromA, toA, fromB, toB }
}

function joinTouching(spans: Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    if (span.fromA === span.toA && span.fromB === span.toB) continue
    const last = joined.at(-1)
    if (last && last.toA >= span.fromA)
      joined[joined.length - 1] = { ...last, toA: Math.max(last.toA, span.toA), toB: Math.max(last.toB, span.toB) }
    else joined.push(span)
  }
  return joined
}
