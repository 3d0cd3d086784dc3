import { posix, relative } from 'node:path'

import { messageOf } from '#contract/wire/message-of.ts'
import type { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import { archivePaths } from '#platform/program/import-formats/reading/archive-format.ts'
import { isArchiveHead } from '#platform/program/import-formats/assay/assay-archive.ts'
import { type Look, lookAtFile } from '#platform/program/import-formats/reading/look-at-file.ts'
import { listFiles, type ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import type { ReadingOptions, ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { type Staging, unpackArchive } from '#platform/program/import-formats/reading/unpack-archives.ts'

/** Archives in archives, such as a log in a compressed tar. */
const maxNesting = 3

export type Inputs = {
  paths: readonly string[]
  /** The folder below which names of files start, for people; null for their whole paths. */
  shownFrom: string | null
  stagingFolder: string
  formats: readonly ResultFormat[]
  options: ReadingOptions
}

/** The files of each format, those that no format recognized, and of these why some cannot be read. */
type Sorted = {
  files: ResultFile[]
  claims: Map<ResultFormat, ResultFile[]>
  unknown: ResultFile[]
  unread: Map<ResultFile, string>
}

/** Recognizes the format of every file by its content, and unpacks archives that are no results themselves. */
export async function sortFiles(
  { paths, shownFrom, stagingFolder, formats, options }: Inputs,
  report: (left: LeftOut) => void,
): Promise<Sorted> {
  const shown = (path: string) => (shownFrom !== null && path.startsWith(shownFrom) ? relative(shownFrom, path) : path)
  const leaveOut = (left: LeftOut) => report({ ...left, file: shown(left.file) })
  const staging: Staging = { folder: stagingFolder, count: 0, bytes: 0, files: 0 }
  const sorted: Sorted = { files: [], claims: new Map(), unknown: [], unread: new Map() }
  const asked = { ...options, isOnly: formats.length === 1 }
  const recognize = async (file: ResultFile): Promise<{ look: Look; format: ResultFormat | null }> => {
    const look = await lookAtFile(file)
    try {
      return { look, format: bestFormat(formats, (each) => each.recognize(look, file, asked)) }
    } catch (error) {
      return { look: { kind: 'unread', reason: messageOf(error) }, format: null }
    }
  }
  const sortAll = async (files: readonly ResultFile[], nesting: number) => {
    const exported = formats.some(({ id }) => id === 'assay') ? await exportedFolders(files) : []
    for (const file of files) {
      // What an export contains is not looked at: its packages are archives, and its changes any files.
      if (exported.some((folder) => isBelow(folder, file))) {
        sorted.files.push(file)
        sorted.unknown.push(file)
      } else await sort(file, nesting)
    }
  }
  const sort = async (file: ResultFile, nesting: number): Promise<void> => {
    const { look, format } = await recognize(file)
    const archive = format ? null : archiveKind(look)
    if (archive && nesting < maxNesting) {
      try {
        await sortAll(await unpackArchive(file, archive, { staging, leaveOut }), nesting + 1)
      } catch (error) {
        leaveOut({ what: 'file', file: file.path, reason: messageOf(error) })
      }
      return
    }
    sorted.files.push(file)
    if (!format) sorted.unknown.push(file)
    else addTo(sorted.claims, format, file)
    if (look.kind === 'unread') sorted.unread.set(file, look.reason)
  }
  for (const path of paths)
    await sortAll(
      (await listFiles(path, leaveOut)).map((file) => ({ ...file, path: shown(file.path) })),
      0,
    )
  return sorted
}

type Folder = { root: string; head: string; start: string }

async function exportedFolders(files: readonly ResultFile[]): Promise<Folder[]> {
  const folders: Folder[] = []
  for (const file of files)
    if (posix.basename(file.inside) === archivePaths.head && isArchiveHead(await lookAtFile(file)))
      folders.push({ root: file.root, head: file.inside, start: file.inside.slice(0, -archivePaths.head.length) })
  return folders
}

const isBelow = ({ root, head, start }: Folder, file: ResultFile) =>
  file.root === root && file.inside !== head && file.inside.startsWith(start)

const archiveKind = (look: Look) => (look.kind === 'zip' ? 'zip' : look.kind === 'archive' ? look.archive : null)

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value) {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function bestFormat(formats: readonly ResultFormat[], recognize: (format: ResultFormat) => number) {
  let best: { format: ResultFormat; confidence: number } | null = null
  for (const format of formats) {
    const confidence = recognize(format)
    if (confidence > (best?.confidence ?? 0)) best = { format, confidence }
  }
  return best?.format ?? null
}
