import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'

import { messageOf } from '#contract/wire/message-of.ts'
import { type ContentJob, ContentStopped } from '#platform/ground/content/content-job.ts'
import { openContent } from '#platform/ground/content/content-pool.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { openStagingFolder } from '#platform/program/import-formats/reading/staging-folder.ts'
import {
  type ListedTasks,
  type PackedAs,
  type PackedFile,
  TasksAnswer,
  type TasksStart,
  type TasksStep,
  type WantedDefinition,
} from './listed-tasks.ts'

const job: ContentJob<TasksStart, TasksStep, TasksAnswer> = {
  module: new URL('./tasks-work.ts', import.meta.url),
  answer: TasksAnswer,
  /** Packing 5,000 folders takes a minute. */
  processorSeconds: 1800,
}

/** The tasks of a benchmark, read in a content process. */
export type TaskSource = {
  list: () => Promise<ListedTasks>
  /** The files of a task by its place in the list, each as a tar, or why they cannot be packed. */
  files: (index: number, as: PackedAs) => Promise<{ files: PackedFile[] } | { refusal: string }>
  /** The text of a definition; null if it is longer than a definition may be. */
  definition: (wanted: WantedDefinition) => Promise<string | null>
}

/** Reads tasks in a content process, which can be killed. Errors: `invalid_argument` with the reason. */
export async function withTasksApart<Result>(
  start: Omit<TasksStart, 'stagingFolder'>,
  work: (source: TaskSource) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { folder, remove } = await openStagingFolder()
  const stagingFolder = join(folder, 'tasks')
  await mkdir(stagingFolder)
  const { ask, close } = openContent(job, { ...start, stagingFolder })
  signal?.addEventListener('abort', close, { once: true })
  const refuse = (error: unknown): never => {
    const why = messageOf(error)
    throw invalid(error instanceof ContentStopped ? `These tasks cannot be read, because ${why}` : why)
  }
  try {
    return await work({
      async list() {
        signal?.throwIfAborted()
        const { listed } = await ask('list').catch(refuse)
        if (!listed) throw new Error('The list of tasks has no answer')
        return listed
      },
      async files(index, as) {
        signal?.throwIfAborted()
        const { files, refusal } = await ask({ files: index, as }).catch(refuse)
        return files ? { files } : { refusal: refusal ?? 'its files cannot be packed' }
      },
      async definition(wanted) {
        signal?.throwIfAborted()
        return (await ask({ definition: wanted }).catch(refuse)).yaml
      },
    })
  } finally {
    signal?.removeEventListener('abort', close)
    close()
    await remove()
  }
}
