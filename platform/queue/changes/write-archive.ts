import { createGzip } from 'node:zlib'
import { Readable } from 'node:stream'

import { tarEnd, tarEntry } from './tar-entry.ts'
import type { RecordedFile } from './manifest.ts'
import type { RecordedChanges } from './read-changes.ts'
import { portableFiles } from './portable-files.ts'

/** The files of an archive: what the agent added or changed and the artifacts, as far as their content is kept. */
export const archivedFiles = ({ files }: RecordedChanges) =>
  portableFiles(files).filter(({ places }) => places.after !== null)

/** Writes the files as they were after the agent into a tar.gz. `at` is the time of every file. */
export const writeArchive = (changes: RecordedChanges, at: Date): AsyncIterable<Uint8Array> =>
  Readable.from(writeTar(changes, at)).pipe(createGzip())

async function* writeTar(changes: RecordedChanges, mtime: Date): AsyncGenerator<Uint8Array> {
  for (const file of archivedFiles(changes)) {
    const content = file.places.after && (await changes.read(file.places.after))
    if (content) yield* writeEntry(file, content, mtime)
  }
  yield tarEnd
}

function writeEntry({ path, after }: RecordedFile, content: Buffer, mtime: Date) {
  const mode = after?.isExecutable ? 0o755 : 0o644
  return after?.kind === 'link'
    ? tarEntry({ path, type: 'SymbolicLink', linkpath: content.toString(), size: 0, mode: 0o777, mtime })
    : tarEntry({ path, type: 'File', size: content.byteLength, mode, mtime }, content)
}
