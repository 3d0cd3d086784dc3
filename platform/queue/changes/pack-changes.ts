import { isUtf8 } from 'node:buffer'

import { changeLimits, type FileState } from '#contract/changes.ts'
import type { Masker } from '#platform/inputs/secrets/masking/masker.ts'
import { lineCounter } from './count-lines.ts'
import type { FoundChange, FoundChanges, FoundSide } from './found-change.ts'
import type { Manifest, RecordedFile } from './manifest.ts'
import { type ChangesPart, packFiles, toPart } from './pack-files.ts'

/**
 * Makes the blobs of a run's changes: packs with the contents, then the manifest. Secrets are masked in names and contents.
 * Artifacts and small files come first; the manifest says in sentences what did not fit.
 */
export async function* packChanges({ changes, leftOut }: FoundChanges, masker: Masker): AsyncGenerator<ChangesPart> {
  const listed = changes.toSorted(byNeed).slice(0, changeLimits.files)
  const pack = packFiles()
  const budget = { left: changeLimits.keptBytes }
  const countLines = lineCounter()
  const files: RecordedFile[] = []
  for (const change of listed) {
    const before = await contentOf(change.before, budget, masker)
    const after = await contentOf(change.after, budget, masker)
    const [packedBefore, packedAfter] = [before && pack.add(before), after && pack.add(after)]
    const places = { before: packedBefore?.place ?? null, after: packedAfter?.place ?? null }
    for (const packed of [packedBefore, packedAfter]) yield* packed?.full ?? []
    files.push({ ...describe(change, { before, after, countLines }, masker), places })
  }
  yield* pack.end()
  const sentences = [...leftOut, ...sentencesOf(changes.length - listed.length, files)]
  const manifest: Manifest = { files: files.toSorted(byPath), leftOut: sentences.map(masker.text) }
  yield toPart('manifest', Buffer.from(JSON.stringify(manifest)))
}

const sizeOf = ({ before, after }: FoundChange) => (before?.sizeBytes ?? 0) + (after?.sizeBytes ?? 0)

const byNeed = (a: FoundChange, b: FoundChange) =>
  Number(b.isArtifact) - Number(a.isArtifact) || sizeOf(a) - sizeOf(b) || byPath(a, b)

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

async function contentOf(side: FoundSide | null, budget: { left: number }, masker: Masker): Promise<Buffer | null> {
  if (!side || side.sizeBytes > Math.min(changeLimits.fileBytes, budget.left)) return null
  const content = await side.read()
  if (!content) return null
  const masking = masker.stream()
  const masked = Buffer.concat([masking.push(content), masking.end()])
  budget.left -= masked.byteLength
  return masked
}

type Contents = { before: Buffer | null; after: Buffer | null; countLines: ReturnType<typeof lineCounter> }

function describe({ before, after, ...change }: FoundChange, contents: Contents, masker: Masker) {
  const isBinary = [contents.before, contents.after].some((content) => content !== null && isBinaryContent(content))
  const isWhole = [before, after].every((side, index) => side === null || [contents.before, contents.after][index])
  const lines =
    isBinary || !isWhole
      ? { addedLines: null, removedLines: null }
      : contents.countLines(contents.before?.toString() ?? '', contents.after?.toString() ?? '')
  return {
    ...change,
    path: masker.text(change.path),
    isBinary,
    before: before && stateOf(before, contents.before),
    after: after && stateOf(after, contents.after),
    ...lines,
  }
}

const stateOf = ({ kind, sizeBytes, isExecutable }: FoundSide, content: Buffer | null): FileState => ({
  kind,
  sizeBytes,
  isExecutable,
  hasContent: content !== null,
})

/** As git decides: a file with a zero byte near its start is binary. So is one that is not UTF-8. */
const isBinaryContent = (content: Buffer) => content.subarray(0, 8000).includes(0) || !isUtf8(content)

function sentencesOf(unlisted: number, files: readonly RecordedFile[]) {
  const large = files.filter(({ before, after }) => [before, after].some((side) => side && !side.hasContent)).length
  const number = (count: number) => count.toLocaleString('en')
  return [
    ...(unlisted > 0
      ? [`${number(unlisted)} more changed files are not listed. A run lists at most ${number(changeLimits.files)}.`]
      : []),
    ...(large > 0
      ? [
          `The content of ${number(large)} ${large === 1 ? 'file' : 'files'} is not kept. A run keeps files of up to ${changeLimits.fileBytes / 1024 ** 2} MB, and ${changeLimits.keptBytes / 1024 ** 2} MB in total.`,
        ]
      : []),
  ]
}
