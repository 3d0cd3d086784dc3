import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { posix } from 'node:path'

import { inFolder, readBytes } from '#platform/engine/workspace/workspace-path.ts'
import type { FoundFile } from './walk-workspace.ts'

/** Processes of the run may be alive, so a file may be another one by now. None outside of the workspace is read. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Returns the content of a file, as long as it was found, or the target of a link, or null if it cannot be read. */
export async function readWorkspaceFile(
  workspace: string,
  { path, kind, sizeBytes }: FoundFile,
): Promise<Uint8Array | null> {
  if (kind === 'file') return withFile(workspace, path, (file) => readBytes(file, sizeBytes))
  const name = posix.basename(path)
  const read = () =>
    inFolder(workspace, posix.dirname(path), ({ place }) => readlink(place(name), { encoding: 'buffer' }))
  return read().catch(() => null)
}

/** Returns the SHA-256 of a file's content, or null if it cannot be read. */
export const hashWorkspaceFile = (workspace: string, { path, sizeBytes }: FoundFile): Promise<string | null> =>
  withFile(workspace, path, async (file) => {
    const hash = createHash('sha256')
    if (sizeBytes === 0) return hash.digest('hex')
    const content = file.createReadStream({ autoClose: false, start: 0, end: sizeBytes - 1 })
    for await (const chunk of content) hash.update(chunk as Uint8Array)
    return hash.digest('hex')
  })

async function withFile<Result>(workspace: string, path: string, work: (file: FileHandle) => Promise<Result>) {
  const opened = inFolder(workspace, posix.dirname(path), ({ place }) => open(place(posix.basename(path)), flags))
  const file = await opened.catch(() => null)
  if (!file) return null
  try {
    return (await file.stat()).isFile() ? await work(file) : null
  } finally {
    await file.close()
  }
}
