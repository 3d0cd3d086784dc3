import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import { create } from 'tar'

/**
 * Packs a file, or everything in a folder, as a tar whose bytes depend on the content alone: no owners, no times.
 * A file stands in it under its own name; a folder's entries are relative to the folder.
 */
export async function packTar(path: string): Promise<Uint8Array> {
  const isFolder = (await stat(path)).isDirectory()
  const from = isFolder ? { cwd: path, entry: '.' } : { cwd: dirname(path), entry: basename(path) }
  const chunks: Uint8Array[] = []
  for await (const chunk of create({ cwd: from.cwd, portable: true, noMtime: true }, [from.entry])) chunks.push(chunk)
  return Buffer.concat(chunks)
}
