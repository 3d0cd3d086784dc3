import { z } from 'zod'

import { taskFormats } from '#contract/task-formats.ts'
import { Bytes } from '#platform/ground/content/content-job.ts'
import type { Definition } from '#contract/definition.ts'
import type { TaskSearch } from './find-tasks.ts'

/** What is told of a task. `wordings` are the ids of its prompts. */
const ListedTask = z.object({
  id: z.string(),
  place: z.string(),
  format: z.enum(taskFormats),
  wordings: z.array(z.string()),
  hasSolution: z.boolean(),
  notes: z.array(z.string()),
})
export type ListedTask = z.infer<typeof ListedTask>

const Remark = z.object({ task: z.string(), text: z.string() })

export const ListedTasks = z.object({ tasks: z.array(ListedTask), skipped: z.array(Remark) })
export type ListedTasks = z.infer<typeof ListedTasks>

/** One file of a package, as a tar. */
const PackedFile = z.object({ source: z.string(), dest: z.string(), tar: Bytes })
export type PackedFile = z.infer<typeof PackedFile>

export type TasksStart = TaskSearch & {
  /** Names the image of every task, with `{task}` in the place of its id; null for the images that the tasks name. */
  imageTemplate: string | null
}

/** As the runs of a task need its files, or as the folder that it is. */
export type PackedAs = 'packages' | 'folder'

export type Wanted = {
  experimentId: string
  name: string
  /** Adds an agent that does nothing, which must not solve any task. */
  withNothing: boolean
}

/** The definition of the tasks at these places of the list. `previous` is the one that an earlier import made. */
export type WantedDefinition = { tasks: readonly number[]; as: PackedAs; wanted: Wanted; previous: Definition | null }

/** All tasks, the files of one, or the text of a definition, which is null if it is longer than a definition may be. */
export type TasksStep = 'list' | { files: number; as: PackedAs } | { definition: WantedDefinition }

export const TasksAnswer = z.object({
  listed: ListedTasks.nullable(),
  files: z.array(PackedFile).nullable(),
  yaml: z.string().nullable(),
  refusal: z.string().nullable(),
})
export type TasksAnswer = z.infer<typeof TasksAnswer>

/** Where all task folders of an import are in the package. */
export const parentOfFolders = 'tasks'
