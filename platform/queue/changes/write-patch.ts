import type { FileState } from '#contract/changes.ts'
import type { RecordedFile } from './manifest.ts'
import type { Download } from './read-changes.ts'
import { type PatchWork, quoted, type Section, type Side } from './patch-sections.ts'
import { writeSectionsApart } from './write-sections-apart.ts'

/**
 * The work of all comparisons of a patch. That of one file grows with its lines and with the square of what differs. The
 * files that come after this much work are one removed and one added block each.
 */
const comparedSteps = 20_000_000

/** A process gets this many files at once, or files with so many bytes. */
const [filesTogether, bytesTogether] = [100, 512 * 1024]

/**
 * Writes changes as a patch that `git apply` accepts. A line without meaning to git names each file that it would refuse,
 * because one such file is enough for git to refuse the whole patch. Content processes compare the files.
 */
export async function* writePatch(
  organizationId: string,
  { files, read }: Download,
  steps = comparedSteps,
): AsyncGenerator<Uint8Array> {
  let work: PatchWork = { left: steps, uncompared: 0 }
  let sections: Section[] = []
  let bytes = 0
  const write = async () => {
    const written = await writeSectionsApart(organizationId, sections, work)
    work = written.work
    sections = []
    bytes = 0
    return written.patch
  }
  for (const file of files) {
    const sides = file.isRefused ? null : await readSides(file, read)
    if (sides)
      for (const [before, after] of sectionsOf(sides)) {
        sections.push({ path: file.path, isBinary: file.isBinary, before, after })
        bytes += (before?.content.byteLength ?? 0) + (after?.content.byteLength ?? 0)
      }
    if (sections.length >= filesTogether || bytes >= bytesTogether || (!sides && sections.length > 0)) yield write()
    if (!sides) yield Buffer.from(`Not in this patch: ${quoted(file.path)}\n`)
  }
  if (sections.length > 0) yield write()
  if (work.uncompared > 0) yield Buffer.from(notCompared(work.uncompared))
}

const notCompared = (files: number) =>
  `Not compared line by line, because the patch is large: ${files.toLocaleString('en')} files\n`

/** Null if a content is not kept, or the storage has lost it. */
async function readSides({ before, after, places }: RecordedFile, read: Download['read']) {
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
