import { createHash } from 'node:crypto'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

import type { Definition } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import { dependenciesOf } from '#contract/task.ts'
import { limits } from '#contract/wire/limit.ts'
import { CommandError } from '#client/exit-codes.ts'
import { findTaskSources } from './task-folders.ts'
import { packTar } from '#platform/ground/files/pack-tar.ts'

/** A file or folder that a definition names, and where it is on this machine. */
type PackageFile = { source: string; dest: string; path: string }

/**
 * The files of a definition's package. Each must be in the folder of the definition: it may come from another person, and
 * must not be able to send their keys to the server.
 */
export async function findPackageFiles(definition: Definition, definitionPath: string): Promise<PackageFile[]> {
  const folder = await realpath(dirname(definitionPath))
  const found: PackageFile[] = []
  const tasks = (await findTaskSources(definition, folder)).map((source) => ({ source, dest: source }))
  for (const { source, dest } of [...dependenciesOf(definition), ...tasks]) {
    const path = await realpath(resolve(folder, source)).catch(() => null)
    if (path === null) throw new CommandError(`The definition names ${source}, which is not in ${folder}`)
    const inside = relative(folder, path)
    if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(folder, inside) !== path)
      throw new CommandError(`The definition names ${source}, which is outside its folder ${folder}. Move it there`)
    found.push({ source, dest, path })
  }
  return found
}

/** The tar of a file, which the operator’s command makes in the same way, so that its hash is the same. */
export async function packFile({ path, source }: PackageFile) {
  if ((await sizeOf(path, limits.packageFileBytes)) > limits.packageFileBytes)
    throw new CommandError(
      `${source} is too large to push: the limit is ${limits.packageFileBytes / 1_000_000} MB. The operator can stage it on the server`,
    )
  return packTar(path)
}

export function toVersionFile({ source, dest }: PackageFile, tar: Uint8Array): VersionFile {
  return { source, dest, tarSha256: createHash('sha256').update(tar).digest('hex'), sizeBytes: tar.byteLength }
}

/** The bytes of a file or of all files of a folder, without following links. It stops where they exceed the most. */
async function sizeOf(path: string, most: number): Promise<number> {
  const found = await lstat(path)
  if (!found.isDirectory()) return found.size
  let size = 0
  for (const entry of await readdir(path)) {
    size += await sizeOf(join(path, entry), most - size)
    if (size > most) break
  }
  return size
}
