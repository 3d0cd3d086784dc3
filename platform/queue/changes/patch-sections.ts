import { structuredPatch } from 'diff'

import { linesIn } from './count-lines.ts'
import { binaryPatch } from './binary-patch.ts'

/** Larger or more different texts are one removed and one added block. */
const [maxCharacters, maxEditLength] = [1024 ** 2, 1000]

export type Side = { mode: string; content: Uint8Array }

/** One file of a patch: as it was and as it is. */
export type Section = { path: string; isBinary: boolean; before: Side | null; after: Side | null }

/** The work that is left for the comparisons of a patch, and the files that were not compared because of it. */
export type PatchWork = { left: number; uncompared: number }

/** Writes one file of a patch, and takes what it costs from `work`. */
export async function* writeSection(
  { path, isBinary, before, after }: Section,
  work: PatchWork,
): AsyncGenerator<Uint8Array> {
  const [from, to] = [quoted(`a/${path}`), quoted(`b/${path}`)]
  const [old, now] = [before && toBuffer(before), after && toBuffer(after)]
  const modes = modesOf(before, after)
  const isSame = old !== null && now !== null && old.equals(now)
  // Masking can make both sides equal.
  if (isSame && modes.length === 0) return
  yield toBytes([`diff --git ${from} ${to}`, ...modes])
  if (isSame) return
  if (isBinary) for await (const part of binaryPatch(old, now)) yield Buffer.from(part)
  else {
    const hunks = hunksOf(old?.toString() ?? '', now?.toString() ?? '', work)
    if (hunks.length > 0)
      yield toBytes([`--- ${before ? named(from) : '/dev/null'}`, `+++ ${after ? named(to) : '/dev/null'}`, ...hunks])
  }
}

const toBuffer = ({ content }: Side) => Buffer.from(content.buffer, content.byteOffset, content.byteLength)

const toBytes = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`)

/** Other programs take a space for the end of the name, unless a tab follows the name. */
const named = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name)

function modesOf(before: Side | null, after: Side | null): string[] {
  if (before && after) return before.mode === after.mode ? [] : [`old mode ${before.mode}`, `new mode ${after.mode}`]
  if (after) return [`new file mode ${after.mode}`]
  return before ? [`deleted file mode ${before.mode}`] : []
}

const noNewline = '\\ No newline at end of file'

function hunksOf(before: string, after: string, work: PatchWork): string[] {
  if (before === after) return []
  const patch = compared(before, after, work)
  if (patch) return patch.hunks.flatMap((hunk) => [rangesOf(hunk), ...hunk.lines])
  const [old, now] = [linesOf(before, '-'), linesOf(after, '+')]
  const counts = { oldLines: linesIn(before), newLines: linesIn(after) }
  return [rangesOf({ oldStart: 1, newStart: 1, ...counts }), ...old, ...now]
}

/** Undefined if the texts are too large or too different for the work that is left. */
function compared(before: string, after: string, work: PatchWork) {
  if (before.length + after.length > maxCharacters || before === '' || after === '') return undefined
  const most = Math.min(maxEditLength, Math.floor(Math.sqrt(work.left)))
  if (most === 0) {
    work.uncompared += 1
    return undefined
  }
  const options = { context: 3, maxEditLength: most }
  const patch = structuredPatch('a', 'b', before, after, undefined, undefined, options)
  const edits = patch ? patch.hunks.flatMap(({ lines }) => lines).filter((line) => !line.startsWith(' ')).length : most
  work.left = Math.max(0, work.left - edits ** 2 - linesIn(before) - linesIn(after))
  return patch
}

type Ranges = { oldStart: number; oldLines: number; newStart: number; newLines: number }

/** An empty side starts at line 0. */
const rangesOf = ({ oldStart, oldLines, newStart, newLines }: Ranges) =>
  `@@ -${oldLines === 0 ? 0 : oldStart},${oldLines} +${newLines === 0 ? 0 : newStart},${newLines} @@`

function linesOf(text: string, sign: '-' | '+'): string[] {
  if (text === '') return []
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line)
  return text.endsWith('\n') ? lines : [...lines, noNewline]
}

/** As git writes a name: in quotes if it has quotes, backslashes or control characters. */
export function quoted(path: string) {
  if (!/["\\\p{Cc}]/u.test(path)) return path
  const escaped = path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/\p{Cc}/gu, octal)
  return `"${escaped}"`
}

const octal = (mark: string) =>
  Array.from(Buffer.from(mark), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
