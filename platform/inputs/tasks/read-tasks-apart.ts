import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { z } from 'zod'

import { Bytes, type ContentJob, ContentStopped } from '#platform/ground/content/content-job.ts'
import { askContent, withContent } from '#platform/ground/content/content-pool.ts'
import { removeFolder } from '#platform/ground/files/remove-folder.ts'
import { type PackedTask, ReadTask } from './read-task.ts'

export type TaskRequest = PackedTask & { want: 'parts' | 'packages' }

/** Checked here, because the process read hostile bytes. */
const TaskAnswer = z.object({
  task: ReadTask.nullable(),
  packages: z.array(z.object({ source: z.string(), dest: z.string(), tar: Bytes })).nullable(),
  refusal: z.string().nullable(),
})
export type TaskAnswer = z.infer<typeof TaskAnswer>

/** It starts with a folder for its files. */
const job: ContentJob<string, TaskRequest, TaskAnswer> = {
  module: new URL('./packed-task-work.ts', import.meta.url),
  answer: TaskAnswer,
  processorSeconds: 120,
}

/** So many share a process and its processor time. Between them, other requests get the process. */
const tasksPerSession = 50

type Ask = (request: TaskRequest) => Promise<TaskAnswer>

/** A content process that is killed removes nothing, so this one does. */
async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-tasks-'))
  try {
    return await work(folder)
  } finally {
    await removeFolder(folder)
  }
}

type Reading<Folder> = {
  /** Gets the tar of a folder. */
  fetch: (folder: Folder) => Promise<Uint8Array>
  onTask: (folder: Folder, task: NonNullable<TaskAnswer['task']>) => Promise<void>
  onRefusal: (folder: Folder, reason: string) => void
}

/** Reads task folders in a content process. It ends with the first folder that needs too much. */
export async function readTasksApart<Folder extends { name: string }>(
  organizationId: string,
  folders: readonly Folder[],
  { fetch, onTask, onRefusal }: Reading<Folder>,
) {
  for (let start = 0; start < folders.length; start += tasksPerSession) {
    const some = folders.slice(start, start + tasksPerSession)
    const read = async (ask: Ask) => {
      for (const folder of some) {
        const tar = await fetch(folder)
        const answer = await ask({ name: folder.name, tar, want: 'parts' }).catch(asStopped)
        if (!(answer instanceof ContentStopped) && answer.task) await onTask(folder, answer.task)
        else onRefusal(folder, answer instanceof ContentStopped ? answer.message : (answer.refusal ?? ''))
        if (answer instanceof ContentStopped) return false
      }
      return true
    }
    const isDone = await inTemporaryFolder((place) => withContent(organizationId, job, place, read))
    if (!isDone) return
  }
}

function asStopped(error: unknown) {
  if (error instanceof ContentStopped) return error
  throw error
}

/** The files that the runs of a task need, each as a tar, or why they cannot be packed. */
export async function repackTaskApart(organizationId: string, packed: PackedTask) {
  const work = (place: string) => askContent(organizationId, job, place, { ...packed, want: 'packages' })
  const answer = await inTemporaryFolder(work).catch(asStopped)
  if (answer instanceof ContentStopped) return { packages: null, refusal: answer.message }
  return answer
}
