import { limits } from '#contract/wire/limit.ts'
import type { Upload } from '#src/api/imports.ts'

/** The files of a file input. Those of a folder have their paths in it. */
export const filesOfInput = (files: FileList): Upload[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))

/** The files that were dropped, with those in dropped folders. The entries must be read before the event ends. */
export async function filesOfDrop({ items, files }: DataTransfer): Promise<Upload[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return filesOfInput(files)
  const found: Upload[] = []
  for (const entry of entries) await addEntry(entry, found)
  return found
}

async function addEntry(entry: FileSystemEntry, found: Upload[]) {
  if (found.length > limits.importFiles) return
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path: entry.fullPath.replace(/^\//, ''), file })
  } else if (isFolder(entry)) {
    const reader = entry.createReader()
    for (let some = await readSome(reader); some.length > 0; some = await readSome(reader))
      for (const inner of some) await addEntry(inner, found)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** A browser lists a hundred at a time. */
const readSome = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))

/** Why these files cannot be uploaded; null if they can. */
export function whyNotUpload(uploads: readonly Upload[]): string | null {
  const bytes = uploads.reduce((sum, { file }) => sum + file.size, 0)
  if (uploads.length === 0) return 'There are no files in it.'
  if (uploads.length > limits.importFiles)
    return `There are more than ${limits.importFiles.toLocaleString('en')} files. Pack them into a zip or a tar.`
  if (bytes > limits.importBytes) return 'The files have more than 2 GB together. Import them in parts.'
  return null
}
