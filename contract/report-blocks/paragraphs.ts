import { limits } from '#contract/wire/limit.ts'

/** Lines of a report without a blank line between them, or a whole fenced block. */
export type Paragraph = { from: number; to: number; text: string }

/** The paragraph that a comment is on: the beginning of its text, and where it starts. */
export type Anchor = { quote: string; position: number }

const fence = /^[ >]*(`{3,}|~{3,})(.*)$/

/** The paragraphs of a report's markdown, in order. */
export function paragraphsOf(markdown: string): Paragraph[] {
  const found: Paragraph[] = []
  let open: string | undefined
  let start: number | undefined
  let at = 0
  const end = (to: number) => {
    if (start !== undefined) found.push({ from: start, to, text: markdown.slice(start, to) })
    start = undefined
  }
  for (const line of markdown.split('\n')) {
    const [, marks = '', rest = ''] = fence.exec(line) ?? []
    if (open === undefined && line.trim() === '') end(at - 1)
    else start ??= at
    if (open === undefined) open = marks || undefined
    else if (marks.startsWith(open) && rest.trim() === '') open = undefined
    at += line.length + 1
  }
  end(markdown.trimEnd().length)
  return found
}

/** Half a surrogate pair at the end would be stored as another character. */
const quoteOf = (text: string) => text.slice(0, limits.commentQuote).replace(/[\uD800-\uDBFF]$/, '')

export const anchorOf = ({ text, from }: Paragraph): Anchor => ({ quote: quoteOf(text), position: from })

type Places = ReadonlyMap<string, readonly Paragraph[]>

/** Paragraphs by their text as quotes have it. */
const placesOf = (paragraphs: readonly Paragraph[]): Places => Map.groupBy(paragraphs, ({ text }) => quoteOf(text))

/** The paragraph with the anchor's text that is nearest to its position; null if there is none. */
export const findParagraph = (paragraphs: readonly Paragraph[], anchor: Anchor) => find(placesOf(paragraphs), anchor)

const find = (places: Places, { quote, position }: Anchor) =>
  nearest(places.get(quote) ?? [], ({ from }) => Math.abs(from - position))

function nearest<Item>(items: readonly Item[], distance: (item: Item) => number): Item | null {
  let best: Item | null = null
  let least = Number.POSITIVE_INFINITY
  for (const item of items) {
    const far = distance(item)
    if (far >= least) continue
    best = item
    least = far
  }
  return best
}

/**
 * Follows anchors from one version of a text to the next: to the same paragraph, or to the paragraph that it became.
 * Null for an anchor whose paragraph is in neither.
 */
export function moveAnchors(before: string, after: string, anchors: readonly Anchor[]): (Anchor | null)[] {
  if (anchors.length === 0) return []
  const [old, now] = [paragraphsOf(before), paragraphsOf(after)]
  const [oldPlaces, nowPlaces] = [placesOf(old), placesOf(now)]
  const [head, tail] = sameEnds(old, now)
  const middle = now.slice(head, now.length - tail)
  const oldTexts = new Set(old.slice(head, old.length - tail).map(({ text }) => text))
  const changed = {
    same: Map.groupBy(middle, ({ text }) => text),
    written: middle.filter(({ text }) => !oldTexts.has(text)),
    shift: after.trimEnd().length - before.trimEnd().length,
  }
  const [lastOfHead, firstOfTail] = [old[head - 1]?.to ?? 0, old[old.length - tail]?.from ?? Number.POSITIVE_INFINITY]
  return anchors.map((anchor) => {
    const was = find(oldPlaces, anchor)
    if (!was) return toAnchor(find(nowPlaces, anchor))
    if (was.to <= lastOfHead) return anchorOf(was)
    if (was.from >= firstOfTail) return anchorOf({ ...was, from: was.from + changed.shift })
    return toAnchor(follow(was, changed))
  })
}

const toAnchor = (paragraph: Paragraph | null) => paragraph && anchorOf(paragraph)

/** How many paragraphs are the same at the beginning and at the end. */
function sameEnds(old: readonly Paragraph[], now: readonly Paragraph[]): [head: number, tail: number] {
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head]?.text === now[head]?.text) head += 1
  let tail = 0
  while (tail < most - head && old.at(-1 - tail)?.text === now.at(-1 - tail)?.text) tail += 1
  return [head, tail]
}

type Changed = { same: Places; written: readonly Paragraph[]; shift: number }

/** What a paragraph in the changed part became. */
function follow(was: Paragraph, { same, written, shift }: Changed): Paragraph | null {
  // Counted from both ends of what changed, so that neither an insertion nor a deletion hides its place.
  const distance = ({ from, to }: Paragraph) => Math.min(Math.abs(from - was.from), Math.abs(to - (was.to + shift)))
  const moved = nearest(same.get(was.text) ?? [], distance)
  if (moved) return moved
  const near = new Set([...around(written, was.from), ...around(written, was.from + shift)])
  const alike = [...near].map((paragraph) => ({ paragraph, share: likeness(was.text, paragraph.text) }))
  const enough = alike.filter(({ share }) => share >= leastAlike)
  return nearest(enough, ({ share }) => -share)?.paragraph ?? null
}

/** How many changed paragraphs on each side of the old place may be what a paragraph became. */
const mostCompared = 10

function around(paragraphs: readonly Paragraph[], position: number) {
  let [low, high] = [0, paragraphs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((paragraphs[middle]?.from ?? 0) < position) low = middle + 1
    else high = middle
  }
  return paragraphs.slice(Math.max(0, low - mostCompared), low + mostCompared)
}

/** A paragraph that keeps less than this of the shorter text is another paragraph. */
const leastAlike = 0.5

/** How much of each text is read to compare two. */
const mostRead = 4000

/** From 0 to 1: the share of the shorter text that both have, as words or as a common beginning and end. */
function likeness(a: string, b: string): number {
  const [left, right] = [a.slice(0, mostRead), b.slice(0, mostRead)]
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return Math.max((start + end) / Math.max(shorter, 1), sharedWords(left, right))
}

function sharedWords(a: string, b: string): number {
  const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  const [left, right] = [wordsOf(a), wordsOf(b)]
  // With fewer words, one common word would make two texts alike.
  if (Math.min(left.size, right.size) < 3) return 0
  return [...left].filter((word) => right.has(word)).length / Math.min(left.size, right.size)
}
