import { mkdir, mkdtemp, realpath, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { sentencesOf } from '#contract/plain-messages.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import { refuseUnstorableText } from '#platform/ground/failures/refuse-unstorable-text.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { unpackTar } from '#platform/ground/files/unpack-tar.ts'
import { type BenchmarkTask, UnusableTask } from './benchmark-task.ts'
import { packFiles } from './pack-task.ts'
import { type PackedTask, ReadTask } from './read-task.ts'
import { readTaskFolder } from './read-task-folder.ts'
import { packagesOf, toEnvironment, toPrompts } from './task-parts.ts'

/** The files of a task for its build, its tests and its agent, each as a tar. */
type TaskPackage = { source: string; dest: string; tar: Uint8Array }

/** Reads the tar of a task folder, whose bytes are untrusted, in a folder in `parent`. Throws `UnusableTask` with the reason for one that cannot run. */
export const readPackedTask = (packed: PackedTask, parent: string): Promise<ReadTask> =>
  withTask(packed, parent, (task) => Promise.resolve(checkParts(task, null)))

/**
 * What a task becomes. What it says of itself, such as its image, must be as in any definition; `image` replaces it. Throws
 * `UnusableTask` with the reason.
 */
export function checkParts(task: BenchmarkTask, image: string | null): ReadTask {
  const parsed = ReadTask.safeParse({ environment: toEnvironment(task, image), prompts: toPrompts(task) })
  if (!parsed.success) throw new UnusableTask(sentencesOf(parsed.error))
  try {
    refuseUnstorableText(parsed.data)
  } catch (error) {
    throw error instanceof Failure ? new UnusableTask(error.message) : error
  }
  return parsed.data
}

/** Packs the files that the runs of a task need from the tar of its folder. Throws `UnusableTask`, too. */
export const repackTask = (packed: PackedTask, parent: string): Promise<TaskPackage[]> =>
  withTask(packed, parent, async (task) => {
    const packages: TaskPackage[] = []
    for (const each of await packagesOf(task, null))
      packages.push({ source: each.source, dest: each.dest, tar: await packFiles(each, parent) })
    return packages
  })

type Work<Result> = (task: BenchmarkTask) => Promise<Result>

async function withTask<Result>({ name, tar }: PackedTask, parent: string, work: Work<Result>) {
  const place = await realpath(await mkdtemp(join(parent, 'assay-task-')))
  try {
    const folder = join(place, name)
    await mkdir(folder)
    await unpackTar(tar, folder, (path, target) => link(folder, path, target)).catch((error: unknown) => {
      throw new UnusableTask(`it cannot be unpacked: ${messageOf(error).replaceAll(`${folder}/`, '')}`)
    })
    const task = await readTaskFolder(folder)
    if (task.id !== name) throw new Error(`The task ${name} was read as ${task.id}`)
    return await work(task)
  } catch (error) {
    if (error instanceof UnusableTask) throw new UnusableTask(error.message.replaceAll(`${place}/`, ''))
    throw error
  } finally {
    await removeFolder(place)
  }
}

/** Not through another link of the same tar. */
async function link(folder: string, path: string, target: string) {
  const place = join(folder, path)
  await mkdir(dirname(place), { recursive: true })
  if ((await realpath(dirname(place))) !== dirname(place)) throw new Error(`${path} leads out of the package`)
  await symlink(target, place)
}
