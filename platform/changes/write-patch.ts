import { setImmediate as nextTurn } from 'node:timers/promises'

import { structuredPatch } from 'diff'

import type { FileState } from '#contract/changes.ts'
import { linesIn } from '#platform/changes/recording/count-lines.ts'
import type { RecordedChanges } from '#platform/changes/recording/read-changes.ts'
import type { RecordedFile } from '#platform/changes/recording/manifest.ts'
import { binaryPatch } from './binary-patch.ts'
import { portableFiles } from './portable-files.ts'

/** Larger or more different texts are one removed and one added block: a comparison blocks all other requests. */
const [maxCharacters, maxEditLength] = [1024 ** 2, 1000]

/**
 * The work of all comparisons of a patch. That of one file grows with its lines and with the square of what differs. The
 * files that come after this much work are one removed and one added block each.
 */
const comparedSteps = 20_000_000

/**
 * Writes changes as a patch that `git apply` accepts. A line without meaning to git names each file that it would refuse,
 * because one such file is enough for git to refuse the whole patch.
 */
export async function* writePatch(changes: RecordedChanges): AsyncGenerator<Uint8Array> {
  const portable = new Set(portableFiles(changes.files))
  const work = { left: comparedSteps, uncompared: 0 }
  for (const file of changes.files) {
    if (file.change === 'unchanged') continue
    const isRefused = !portable.has(file) || isOfGit.test(file.path)
    const sides = isRefused ? null : await readSides(file, changes)
    if (!sides) yield Buffer.from(`Not in this patch: ${quoted(file.path)}\n`)
    else for (const [before, after] of sectionsOf(sides)) yield* sectionOf(file, { before, after, work })
    await nextTurn()
  }
  if (work.uncompared > 0) yield Buffer.from(notCompared(work.uncompared))
}

const notCompared = (files: number) =>
  `Not compared line by line, because the patch is large: ${files.toLocaleString('en')} files\n`

/** Git writes no file of a repository, in any case, also with the endings that Windows ignores. */
const isOfGit = /(^|\/)(\.git|git~1)[. ]*($|[/\\:])|(^|\/)\.gitmodules[. ]*$/i

type Side = { mode: string; content: Buffer }

/** Null if a content is not kept, or the storage has lost it. */
async function readSides({ before, after, places }: RecordedFile, { read }: RecordedChanges) {
  const readSide = async (state: FileState | null, place: RecordedFile['places']['before']) => {
    const content = state && place && (await read(place))
    return content && { mode: modeOf(state), content }
  }
  const sides = { before: await readSide(before, places.before), after: await readSide(after, places.after) }
  return (before && !sides.before) || (after && !sides.after) ? null : sides
}

const modeOf = ({ kind, isExecutable }: FileState) => (kind === 'link' ? linkMode : isExecutable ? '100755' : '100644')
const linkMode = '120000'

/** A file that became a link, or a link that became a file, is deleted and added. */
function sectionsOf({ before, after }: { before: Side | null; after: Side | null }): [Side | null, Side | null][] {
  const isOtherKind = before && after && (before.mode === linkMode) !== (after.mode === linkMode)
  return isOtherKind
    ? [
        [before, null],
        [null, after],
      ]
    : [[before, after]]
}

async function* sectionOf(
  { path, isBinary }: RecordedFile,
  { before, after, work }: { before: Side | null; after: Side | null; work: Work },
): AsyncGenerator<Uint8Array> {
  const [from, to] = [quoted(`a/${path}`), quoted(`b/${path}`)]
  const [old, now] = [before?.content ?? null, after?.content ?? null]
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

const toBytes = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`)

/** Other programs take a space for the end of the name, unless a tab follows the name. */
const named = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name)

function modesOf(before: Side | null, after: Side | null): string[] {
  if (before && after) return before.mode === after.mode ? [] : [`old mode ${before.mode}`, `new mode ${after.mode}`]
  if (after) return [`new file mode ${after.mode}`]
  return before ? [`deleted file mode ${before.mode}`] : []
}

const noNewline = '\\ No newline at end of file'

type Work = { left: number; uncompared: number }

function hunksOf(before: string, after: string, work: Work): string[] {
  if (before === after) return []
  const patch = compared(before, after, work)
  if (patch) return patch.hunks.flatMap((hunk) => [rangesOf(hunk), ...hunk.lines])
  const [old, now] = [linesOf(before, '-'), linesOf(after, '+')]
  const counts = { oldLines: linesIn(before), newLines: linesIn(after) }
  return [rangesOf({ oldStart: 1, newStart: 1, ...counts }), ...old, ...now]
}

/** Undefined if the texts are too large or too different for the work that is left. */
function compared(before: string, after: string, work: Work) {
  if (before.length + after.length > maxCharacters || before === '' || after === '') return undefined
  const most = Math.min(maxEditLength, Math.floor(Math.sqrt(work.left)))
  if (most === 0) {
    work.uncompared += 1
    return undefined
  }
  const options = { context: 3, maxEditLength: most }
  const patch = structuredPatch('a', 'b', before, after, undefined, undefined, options)
  const edits = patch ? sum(patch.hunks.map(({ lines }) => lines.filter((line) => !line.startsWith(' ')).length)) : most
  work.left = Math.max(0, work.left - edits ** 2 - linesIn(before) - linesIn(after))
  return patch
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

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
function quoted(path: string) {
  if (!/["\\\p{Cc}]/u.test(path)) return path
  const escaped = path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/\p{Cc}/gu, octal)
  return `"${escaped}"`
}

const octal = (mark: string) =>
  Array.from(Buffer.from(mark), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
