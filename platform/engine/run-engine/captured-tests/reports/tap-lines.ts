import { maxCases } from './report-case.ts'

/**
 * The lines of a TAP report without its diagnostics and the comments that explain failed test points. The TAP library parses diagnostics as YAML, and a few megabytes of
 * `[` crash its YAML library and with it the whole process. In `tap`, the comment `mark(n)` marks the place of
 * `diagnostics[n]`.
 */
export type TapLines = { tap: string; diagnostics: string[]; isCut: boolean }

/** The report's own comments are removed, so a report cannot forge this one. */
const mark = (index: number) => `# diagnostics ${index}`
export const markedDiagnostics = (comment: string) => /^# diagnostics (\d+)\n?$/.exec(comment)?.[1]

const testPoint = /^(?:not )?ok\b/
const meaningful = /^(?:(?:not )?ok\b|\d+\.\.\d+|bail out!|# subtest\b|[{}]$|tap version)/i
const shownDiagnostics = 16_000
const maxLineCharacters = 4000
const maxIndent = 4 * 32
/** Groups have a test point too, which does not become a case. */
const maxLines = 5 * maxCases

type Block = { indent: string; lines: string[]; size: number }

const emptyBlock = (): Block => ({ indent: '', lines: [], size: 0 })

/**
 * Keeps the lines that have a meaning in TAP and collects diagnostic blocks. Throws an Error if subtests are nested too
 * deep.
 */
export function readTapLines(text: string): TapLines {
  const kept: string[] = []
  const diagnostics: string[] = []
  let block: Block | null = null
  let notes: Block | null = null
  const isKtap = /^[ \t]*KTAP version\b/m.test(text)
  const unit = indentUnit(text)
  for (const written of linesOf(text)) {
    const line = unit === null ? written : withFourSpaces(written, unit)
    if (kept.length >= maxLines) return { tap: kept.join(''), diagnostics, isCut: true }
    const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
    if (block) {
      const isEnd = line === `${block.indent}...`
      if (!isEnd && (line.startsWith(block.indent) || line.trim() === '')) {
        addTo(block, line)
        continue
      }
      closeBlock(block, kept, diagnostics)
      block = null
      if (isEnd) continue
    }
    if (line === `${indent}---` && opensBlock(indent, kept.at(-1))) {
      block = { ...(notes ?? emptyBlock()), indent }
      notes = null
    } else if (!hasMeaning(line, indent)) {
      if (notes && (isKtap || /^[ \t]*#|^[ \t]+\S/.test(line))) addTo(notes, commentOf(line))
    } else {
      // Linux's tests explain a failure before its test point, and other writers after it.
      const before = isKtap && isFailed(line, indent) ? notes : null
      if (notes && !isKtap) closeNotes(notes, kept, diagnostics)
      keep(line, indent, kept)
      if (before) closeNotes(before, kept, diagnostics)
      notes = isKtap || isFailed(line, indent) ? emptyBlock() : null
    }
  }
  if (block) closeBlock(block, kept, diagnostics)
  else if (notes && !isKtap) closeNotes(notes, kept, diagnostics)
  return { tap: kept.join(''), diagnostics, isCut: false }
}

/** A diagnostic block follows a test point and is indented further. */
const opensBlock = (indent: string, above: string | undefined) =>
  above !== undefined && testPoint.test(above.trimStart()) && indent.length > indentOf(above)

/** The indentation of the first line that starts a subtest, or null if it is four spaces, as TAP asks for. KTAP uses two. */
function indentUnit(text: string) {
  const unit = /^([ \t]{1,8})(?:K?TAP version|# Subtest)\b/m.exec(text)?.[1] ?? fourSpaces
  return unit === fourSpaces ? null : unit
}

const fourSpaces = '    '

function withFourSpaces(line: string, unit: string) {
  let depth = 0
  while (line.startsWith(unit, depth * unit.length)) depth += 1
  return fourSpaces.repeat(Math.min(depth, maxIndent)) + line.slice(depth * unit.length)
}

const indentOf = (line: string) => line.length - line.trimStart().length

function addTo(block: Block, line: string) {
  if (block.size > shownDiagnostics) return
  block.lines.push(line.slice(block.indent.length, block.indent.length + shownDiagnostics))
  block.size += line.length
}

const isFailed = (line: string, indent: string) => line.startsWith('not ok', indent.length)

/** Perl, Bats and others explain a failed test point in comments below it. */
const commentOf = (line: string) => line.replace(/^([ \t]*)#[ \t]?/, '$1').slice(0, shownDiagnostics)

function closeNotes(notes: Block, kept: string[], diagnostics: string[]) {
  if (notes.lines.length === 0) return
  const shared = Math.min(...notes.lines.map(indentOf))
  closeBlock({ ...notes, lines: notes.lines.map((line) => line.slice(shared)) }, kept, diagnostics)
}

function closeBlock({ lines }: Block, kept: string[], diagnostics: string[]) {
  const above = kept.at(-1) ?? ''
  kept.push(`${above.slice(0, indentOf(above))}${mark(diagnostics.length)}\n`)
  diagnostics.push(lines.join('\n').slice(0, shownDiagnostics))
}

const hasMeaning = (line: string, indent: string) =>
  meaningful.test(line.slice(indent.length, indent.length + maxLineCharacters))

function keep(line: string, indent: string, kept: string[]) {
  if (indent.length > maxIndent) throw new Error(`its subtests nest deeper than ${maxIndent / 4} levels`)
  kept.push(`${line.slice(0, maxLineCharacters)}\n`)
}

/** Yields one line at a time, because an array of all lines would be far larger than the text. */
function* linesOf(text: string) {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    start = end + 1
  }
}
