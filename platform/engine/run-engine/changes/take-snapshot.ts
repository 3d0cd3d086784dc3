import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { changeLimits } from '#contract/changes.ts'
import { hashWorkspaceFile, readWorkspaceFile } from './read-workspace-file.ts'
import { type FoundFile, type Walk, walkWorkspace } from './walk-workspace.ts'

/** A file before the agent. Its content is in `copy`, or at least its hash is known, or neither if there was too much. */
export type KnownFile = FoundFile & { copy: string | null; hash: string | null }

/** The workspace before the agent. */
export type Snapshot = Omit<Walk, 'files'> & { files: ReadonlyMap<string, KnownFile> }

/** The file with all that a snapshot found. */
export const indexOf = (copies: string) => join(copies, 'index')

/** Files that are too large to copy are read once for their hash, up to this many bytes in total. */
const hashedBytes = 1024 ** 3

/**
 * Records the workspace before the agent. The smallest files are copied to `copies`, a folder that the run cannot
 * reach; the others are hashed. All sizes are bounded, so that a large workspace delays its agent only by seconds.
 */
export async function takeSnapshot(workspace: string, copies: string): Promise<Snapshot> {
  const { files: found, ...walk } = await walkWorkspace(workspace, changeLimits.comparedFiles)
  await mkdir(copies, { recursive: true, mode: 0o700 })
  const left = { kept: changeLimits.keptBytes, hashed: hashedBytes }
  const files = new Map<string, KnownFile>()
  for (const file of found.toSorted(bySize)) {
    files.set(file.path, { ...file, ...(await keep(workspace, join(copies, String(files.size)), file, left)) })
  }
  return { ...walk, files }
}

const bySize = (a: FoundFile, b: FoundFile) => a.sizeBytes - b.sizeBytes

async function keep(workspace: string, copy: string, file: FoundFile, left: { kept: number; hashed: number }) {
  const size = file.sizeBytes
  if (size <= changeLimits.fileBytes && size <= left.kept) {
    const content = await readWorkspaceFile(workspace, file)
    if (!content) return { copy: null, hash: null }
    left.kept -= content.byteLength
    await writeFile(copy, content, { mode: 0o600 })
    return { copy, hash: null }
  }
  if (size > left.hashed) return { copy: null, hash: null }
  left.hashed -= size
  return { copy: null, hash: await hashWorkspaceFile(workspace, file) }
}
