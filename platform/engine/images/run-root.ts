import { chown, lstat, mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'

import type { ImageRoot, RunFolders, Sandbox } from '#platform/engine/sandbox/sandbox.ts'
import { makePlainFolder } from '#platform/engine/workspace/materialize.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { runToEnd } from '#platform/ground/processes/run-to-end.ts'
import type { HeldImage } from './image-cache.ts'

/**
 * Prepares the root of one run: a writable layer above its image in `folder`, and the content of the image's working
 * directory and home in the run's folders, which are mounted in their place.
 */
export async function makeRunRoot(
  { roots }: Sandbox,
  { facts, root: image }: HeldImage,
  { folders, folder }: { folders: RunFolders; folder: string },
): Promise<ImageRoot> {
  const { uid, gid, env, workspace, home } = facts
  const owner = roots?.owner ?? null
  const layer = join(folder, 'layer')
  const kind = (await canOverlay(folder)) ? 'overlay' : 'copy'
  await mkdir(layer)
  const writable = join(layer, kind === 'overlay' ? 'upper' : 'root')
  await makePlainFolder(writable)
  if (kind === 'overlay') await mkdir(join(layer, 'work'))
  else await copyInto(image, writable)
  await copyInto(join(image, workspace), folders.workspace)
  await copyInto(join(image, home), folders.home)
  if (owner !== null) for (const each of [writable, ...Object.values(folders)]) await chown(each, owner, owner)
  return { image, layer, kind, uid, gid, env, inside: { workspace, home } }
}

/** Copies a folder's content with owners and modes, and shares its blocks where the file system can. */
export async function copyInto(from: string, to: string) {
  const stats = await lstat(from).catch(() => null)
  if (stats?.isDirectory()) await runToEnd('cp', ['-a', '--reflink=auto', '--', `${from}/.`, to])
}

let overlayWorks: Promise<boolean> | undefined

/** Tries once: a kernel may refuse overlays to ordinary users, or on some file systems. */
const canOverlay = (folder: string) => (overlayWorks ??= tryOverlay(folder))

async function tryOverlay(folder: string) {
  const isRoot = process.getuid?.() === 0
  const place = await mkdtemp(join(folder, 'overlay-'))
  const options = `lowerdir=l,upperdir=u,workdir=w,volatile${isRoot ? '' : ',userxattr'}`
  const script = `mkdir l u w m && mount -t overlay -o ${options} assay m && : >m/written`
  const asUser = isRoot ? [] : ['--user', '--map-root-user']
  try {
    await runToEnd('unshare', [...asUser, '--mount', '--propagation', 'private', '--', 'sh', '-c', script], {
      cwd: place,
    })
    return true
  } catch {
    return false
  } finally {
    // The kernel's own folder in it has no permissions.
    await removeFolder(place)
  }
}

/** A sandbox whose every command runs in this root. */
export const inRoot = (sandbox: Sandbox, root: ImageRoot): Sandbox => ({
  ...sandbox,
  spawn: (command) => sandbox.spawn({ root, ...command }),
  inside: (folders) => sandbox.inside(folders, root),
})
