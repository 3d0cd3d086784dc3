import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import { create } from 'tar'

/**
 * Packs a file, or a whole folder, as an uncompressed tar. The bytes depend only on the content: owners and times are
 * fixed.
 * The entry of a file has the file's name; the entries of a folder are relative to the folder.
 */
export async function packTar(path: string): Promise<Uint8Array> {
  const isFolder = (await stat(path)).isDirectory()
  const from = isFolder ? { cwd: path, entry: '.' } : { cwd: dirname(path), entry: basename(path) }
  const chunks: Uint8Array[] = []
  for await (const chunk of create({ cwd: from.cwd, portable: true, noMtime: true }, [from.entry])) chunks.push(chunk)
  return Buffer.concat(chunks)
}
