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
 * Writes changes as a patch that `git apply` accepts. A line without meaning to git names each file that it would refuse,
 * because one such file is enough for git to refuse the whole patch.
 */
export async function* writePatch(changes: RecordedChanges): AsyncGenerator<Uint8Array> {
  const portable = new Set(portableFiles(changes.files))
  for (const file of changes.files) {
    if (file.change === 'unchanged') continue
    const isRefused = !portable.has(file) || isOfGit.test(file.path)
    const sides = isRefused ? null : await readSides(file, changes)
    if (!sides) yield Buffer.from(`Not in this patch: ${quoted(file.path)}\n`)
    else for (const [before, after] of sectionsOf(sides)) yield* sectionOf(file, before, after)
  }
}

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
  before: Side | null,
  after: Side | null,
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
    const hunks = hunksOf(old?.toString() ?? '', now?.toString() ?? '')
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

function hunksOf(before: string, after: string): string[] {
  const isSmall = before.length + after.length <= maxCharacters
  const options = { context: 3, maxEditLength }
  const patch = isSmall ? structuredPatch('a', 'b', before, after, undefined, undefined, options) : undefined
  if (patch) return patch.hunks.flatMap((hunk) => [rangesOf(hunk), ...hunk.lines])
  const [old, now] = [linesOf(before, '-'), linesOf(after, '+')]
  const counts = { oldLines: linesIn(before), newLines: linesIn(after) }
  return [rangesOf({ oldStart: 1, newStart: 1, ...counts }), ...old, ...now]
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
function quoted(path: string) {
  if (!/["\\\p{Cc}]/u.test(path)) return path
  const escaped = path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/\p{Cc}/gu, octal)
  return `"${escaped}"`
}

const octal = (mark: string) =>
  Array.from(Buffer.from(mark), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
