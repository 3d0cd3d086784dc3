import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Services } from '#platform/ground/context/context.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { openStagingFolder } from '#platform/program/import-formats/reading/staging-folder.ts'
import { findParts, type ImportRow } from './store.ts'

/** Writes the files of an import into a private folder while `work` uses it. Errors: `invalid_argument` if a part is missing. */
export async function withStagedFiles<Result>(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  row: ImportRow,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const { folder, remove } = await openStagingFolder()
  const files = join(folder, 'files')
  try {
    await mkdir(files)
    for (const { blobKey, entries } of await findParts(db, row.id)) {
      const bytes = await blobs.get(blobKey)
      // An upload that was interrupted here was sent again, or a part is missing below.
      if (!bytes) continue
      for (const { path, offset, start, length } of entries)
        await writePart(join(files, path), bytes.subarray(start, start + length), offset).catch((error: unknown) => {
          throw isOfPath(error)
            ? invalid(`“${path}” is a file and a folder, or a part of it is missing. Upload it again`)
            : error
        })
    }
    return await work(files)
  } finally {
    await remove()
  }
}

const pathCodes = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOENT', 'ERANGE'])

const isOfPath = (error: unknown) => error instanceof Error && 'code' in error && pathCodes.has(String(error.code))

/** A part continues its file, or repeats what is there. */
async function writePart(path: string, bytes: Uint8Array, offset: number) {
  if (offset === 0) await mkdir(dirname(path), { recursive: true })
  const handle = await open(path, offset === 0 ? 'w' : 'r+', 0o600)
  try {
    const { size } = await handle.stat()
    if (offset > size) throw Object.assign(new Error('a part is missing'), { code: 'ERANGE' })
    await handle.write(bytes, 0, bytes.length, offset)
  } finally {
    await handle.close()
  }
}
