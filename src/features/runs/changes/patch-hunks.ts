import type { FileContent } from '#contract/changes.ts'
import { hunksToQuote } from './hunks-to-quote.ts'

/** The lines of a hunk, as in the header of a patch: an empty side starts at line 0. */
export type HunkRange = { oldStart: number; oldLines: number; newStart: number; newLines: number }

export type PatchHunk = {
  range: HunkRange
  quote: string
  addedLines: number
  removedLines: number
  firstChange: string
}

/** The hunks of one file's patch. */
export function patchHunks(patch: string): PatchHunk[] {
  const sections = patch.trimEnd().split(/\n(?=@@ )/)
  return sections.flatMap((text) => {
    const range = rangeOf(/^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/.exec(text)?.slice(1) ?? [])
    if (!range) return []
    const lines = text.split('\n').slice(1)
    const starting = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
    return {
      range,
      quote: hunksToQuote(text),
      addedLines: starting('+'),
      removedLines: starting('-'),
      firstChange: lines.find((line) => /^[+-]\s*\S/.test(line)) ?? '',
    }
  })
}

/** The value of `hunk` in the URL of a changed file. */
export const hunkParam = ({ oldStart, oldLines, newStart, newLines }: HunkRange) =>
  [oldStart, oldLines, newStart, newLines].join(',')

/** Null if the value names no lines, so that the whole file is shown. */
export const readHunkParam = (value: string): HunkRange | null =>
  /^\d{1,7}(,\d{1,7}){3}$/.test(value) ? rangeOf(value.split(',')) : null

function rangeOf(texts: readonly string[]): HunkRange | null {
  const [oldStart, oldLines, newStart, newLines] = texts.map(Number)
  if (oldStart === undefined || oldLines === undefined || newStart === undefined || newLines === undefined) return null
  return oldLines + newLines > 0 ? { oldStart, oldLines, newStart, newLines } : null
}

/** `lines 12–18`, by the numbers after the change; those before it if nothing is left. */
export function hunkLines({ oldStart, oldLines, newStart, newLines }: HunkRange): string {
  const [start, lines] = newLines > 0 ? [newStart, newLines] : [oldStart, oldLines]
  return lines === 1 ? `line ${start}` : `lines ${start}–${start + lines - 1}`
}

type Contents = { before: FileContent | null; after: FileContent | null }

/** Both sides with the lines of one hunk only; null if the file does not have these lines. */
export function cutToHunk({ before, after }: Contents, range: HunkRange): Contents | null {
  const old = cut(before, range.oldStart, range.oldLines)
  const now = cut(after, range.newStart, range.newLines)
  if (old === null || now === null) return null
  // A last line break that both sides have would show as an empty line.
  const isSame = old === '' || now === '' || old.endsWith('\n') === now.endsWith('\n')
  const show = (text: string): FileContent => ({ encoding: 'utf8', text: isSame ? text.replace(/\n$/, '') : text })
  return { before: show(old), after: show(now) }
}

function cut(content: FileContent | null, start: number, count: number) {
  if (count === 0) return ''
  if (!content || content.encoding === 'base64' || start === 0) return null
  const lines = content.text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  return start + count - 1 > lines.length ? null : lines.slice(start - 1, start - 1 + count).join('')
}
