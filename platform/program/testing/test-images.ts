import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parseImageReference } from '#contract/image-reference.ts'
import { folderBlobs } from '#platform/ground/blobs/folder-blobs.ts'
import type { HeldImage } from '#platform/engine/images/image-cache.ts'
import { type ImageSettings, openImages } from '#platform/engine/images/open-images.ts'
import { inRoot, makeRunRoot } from '#platform/engine/images/run-root.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import type { Sandbox, SandboxCommand } from '#platform/engine/sandbox/sandbox.ts'
import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { runShell } from './run-shell.ts'
import { openTestRegistry, whyNoTestImages } from './test-registry.ts'

const imageSandbox = await detectSandbox({ limits: { memoryMb: 4096, processes: 1000, diskMb: 1000 } })

/** Why tests of images are skipped on this machine, or null. */
export const whyNoImages = whyNoTestImages ?? (imageSandbox.roots ? null : 'no sandbox for images')

type Worker = Partial<ImageSettings> & { sandbox?: Sandbox }

/** Opens a registry on loopback, a cache, and the images of a worker. */
export async function openTestImages({ isGuarded = false } = {}) {
  const registry = await openTestRegistry({ isGuarded })
  const folder = await mkdtemp(join(tmpdir(), 'assay-images-'))
  const settings = { folder: join(folder, 'cache'), limitMb: 0, insecureRegistries: [registry.address] }
  const held: (() => void)[] = []
  let runCount = 0

  const wanted = (name: string, password?: string) => {
    const text = `${registry.address}/${name}`
    const reference = parseImageReference(text)
    if (!reference) throw new Error(`${text} is no reference`)
    return { name: text, reference, digest: null, password: password ?? null }
  }
  const images = ({ sandbox = imageSandbox, ...changed }: Worker = {}) =>
    openImages({ sandbox, blobs: folderBlobs(join(folder, 'blobs')), settings: { ...settings, ...changed } })
  const open = (name: string, { password, ...worker }: Worker & { password?: string } = {}) =>
    images(worker).open(wanted(name, password), { signal: new AbortController().signal })

  /** Prepares the root of one run in an image. */
  async function runIn(image: HeldImage) {
    held.push(image.release)
    runCount += 1
    const place = join(folder, 'runs', String(runCount))
    const folders = await makeRunFolders(place)
    const root = await makeRunRoot(imageSandbox, image, { folders, folder: place })
    const inside = inRoot(imageSandbox, root)
    const shell = (script: string, more: Partial<SandboxCommand> = {}) =>
      runShell(inside, folders, '', { argv: ['sh', '-c', script], ...more })
    return { image, folders, root, place, shell }
  }
  return {
    registry,
    folder,
    settings,
    images,
    open,
    /** Opens an image whose digest an earlier step found, as runs do. */
    openPinned: (name: string, digest: string) =>
      images().open({ ...wanted(name), digest }, { signal: new AbortController().signal }),
    runIn,
    openRun: async (name: string) => runIn(await open(name)),
    release: () => held.splice(0).forEach((release) => release()),
    async close() {
      await registry.close()
      await removeFolder(folder)
    },
  }
}
