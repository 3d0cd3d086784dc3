import { basename } from 'node:path'

import { dump } from 'js-yaml'

import type { Definition } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findVersion } from '#platform/inputs/experiments/find-version.ts'
import { pushExperiment } from '#platform/inputs/experiments/push-experiment.ts'
import { stageBlob } from '#platform/inputs/experiments/stage-blob.ts'
import { conflict, Failure, invalid } from '#platform/ground/failures/failure.ts'
import { type BenchmarkTask, type FoundTask, UnusableTask, wordingsOf } from '#platform/inputs/tasks/benchmark-task.ts'
import { taskFiles } from '#contract/task-folders.ts'
import { findTaskFolders } from '#platform/inputs/tasks/find-task-folders.ts'
import { packFiles } from '#platform/inputs/tasks/pack-task.ts'
import { readHarbor } from '#platform/inputs/tasks/read-harbor.ts'
import { findProblems } from './read-problems.ts'
import { readTerminalBench } from '#platform/inputs/tasks/read-terminal-bench.ts'
import { refuseUnrunnable } from '#platform/inputs/tasks/read-task-folder.ts'
import { packagesOf } from '#platform/inputs/tasks/task-parts.ts'
import {
  folderSource,
  imageFor,
  isImportOfTasks,
  toDefinition,
  toFolderDefinition,
  type Wanted,
} from './to-definition.ts'

type TasksImport = Omit<Wanted, 'name'> & {
  format: TaskFormat
  folders: readonly string[]
  onProgress?: (done: number, total: number) => void
}

/** A task folder, and a sentence about what could not be carried over. */
type Remark = { task: string; text: string }

export type TasksReceipt = {
  experimentId: string
  ordinal: number
  /** False if the same tasks were imported before. */
  created: boolean
  tasks: number
  withSolution: number
  /** Task folders that did not become a prompt, with the reason. */
  skipped: Remark[]
  /** Parts of imported tasks without a counterpart here. */
  notes: Remark[]
}

const readers = { 'terminal-bench': readTerminalBench, harbor: readHarbor }

type TaskFormat = keyof typeof readers | 'problems'

/** The tasks at a path: folders, or the lines of a file. */
async function findTasks(path: string, format: TaskFormat): Promise<FoundTask[]> {
  if (format === 'problems') return findProblems(path)
  const folders = await findTaskFolders(path, format)
  return folders.map((place) => ({ place, read: () => readers[format](place) }))
}

/**
 * Makes a runnable experiment of task folders in a public format (docs/import-tasks.md). A second import of the same
 * folders changes nothing. Errors: `invalid_argument` when no task can be imported, `already_exists` for an experiment
 * that was not imported this way.
 */
export async function importTasks(context: Context, { format, folders, onProgress, ...wanted }: TasksImport) {
  const previous = await findPrevious(context, wanted.experimentId)
  const { found, skipped } = await readTasks(format, folders, wanted)
  if (found.length === 0) throw invalid(noTask(format, folders, skipped))
  const name = basename(folders[0] ?? format)
  const named = { ...wanted, name }
  const all = found.map(({ task }) => task)
  const stored = previous?.definition ?? null
  // Known before anything is stored, because the files of a large benchmark take a while.
  const asFolders =
    format !== 'problems' && wanted.imageTemplate === null && !fits(toYaml(toDefinition(all, named, stored)))
  const yamlOf = (some: readonly BenchmarkTask[]) =>
    toYaml(asFolders ? toFolderDefinition(some, named, stored) : toDefinition(some, named, stored))
  refuseLarge(yamlOf(all), all.length)
  const tasks: BenchmarkTask[] = []
  const versionFiles: VersionFile[] = []
  for (const [index, { task, place }] of found.entries()) {
    try {
      versionFiles.push(...(await (asFolders ? stageFolder(context, task, place) : stageTask(context, task, named))))
      tasks.push(task)
    } catch (error) {
      asSkipped(skipped, place)(error)
    }
    onProgress?.(index + 1, found.length)
  }
  if (tasks.length === 0) throw invalid(noTask(format, folders, skipped))
  const experimentYaml = yamlOf(tasks)
  const kept = filesOfPeople(previous, versionFiles)
  const pushed = await pushExperiment(context, {
    experimentYaml,
    replaceVersionFiles: true,
    versionFiles: [...versionFiles, ...kept],
  })
  return toReceipt(pushed, tasks, skipped)
}

/** Stores the files of a task. Throws `UnusableTask` if they cannot be packed. */
async function stageTask(context: Context, task: BenchmarkTask, wanted: Wanted): Promise<VersionFile[]> {
  const files: VersionFile[] = []
  for (const { source, dest, ...contents } of await packagesOf(task, imageFor(task, wanted))) {
    const archive = await packFiles({ source, dest, ...contents })
    files.push({ source, dest, ...(await stageBlob(context, context.organization.id, archive)) })
  }
  return files
}

/** Stores the folder of a task as it is. Throws `UnusableTask` if it cannot be packed. */
async function stageFolder(context: Context, task: BenchmarkTask, place: string): Promise<VersionFile[]> {
  const source = folderSource(task)
  const archive = await packFiles({ source, dest: source, packed: [{ from: place, to: 'task' }], root: 'task' })
  return [{ source, dest: source, ...(await stageBlob(context, context.organization.id, archive)) }]
}

function toReceipt(
  { experimentId, ordinal, created }: Pick<TasksReceipt, 'experimentId' | 'ordinal' | 'created'>,
  tasks: readonly BenchmarkTask[],
  skipped: Remark[],
): TasksReceipt {
  return {
    experimentId,
    ordinal,
    created,
    tasks: tasks.length,
    withSolution: tasks.filter(({ solution }) => solution !== null).length,
    skipped,
    notes: tasks.flatMap(({ id, notes }) => notes.map((text) => ({ task: id, text }))),
  }
}

const toYaml = (definition: Definition) => dump(definition, { lineWidth: 120, noRefs: true })

const fits = (yaml: string) => Buffer.byteLength(yaml) <= limits.yamlBytes

function refuseLarge(yaml: string, tasks: number) {
  if (fits(yaml)) return
  const size = `${tasks} tasks make a definition of ${Buffer.byteLength(yaml).toLocaleString('en')} bytes`
  throw invalid(
    `${size}; the limit is ${limits.yamlBytes.toLocaleString('en')}. Import fewer folders into one experiment`,
  )
}

async function readTasks(
  format: TaskFormat,
  folders: readonly string[],
  { imageTemplate }: Pick<Wanted, 'imageTemplate'>,
) {
  const found: { task: BenchmarkTask; place: string }[] = []
  const taken = new Set<string>()
  const skipped: Remark[] = []
  for (const folder of folders) {
    for (const { place, read } of await findTasks(folder, format).catch(asSkipped(skipped, folder))) {
      try {
        const task = await read()
        const ids = wordingsOf(task).map(({ id }) => id)
        refuseUnimportable(task, { imageTemplate, isTwice: new Set([...taken, ...ids]).size < taken.size + ids.length })
        ids.forEach((id) => taken.add(id))
        found.push({ task, place })
      } catch (error) {
        asSkipped(skipped, place)(error)
      }
    }
  }
  return { found, skipped }
}

const asSkipped =
  (skipped: Remark[], task: string) =>
  (error: unknown): [] => {
    if (!(error instanceof UnusableTask)) throw error
    skipped.push({ task, text: error.message })
    return []
  }

function refuseUnimportable(
  task: BenchmarkTask,
  { imageTemplate, isTwice }: Pick<Wanted, 'imageTemplate'> & { isTwice: boolean },
) {
  if (isTwice) throw new UnusableTask(`another task is also called ${task.id}`)
  refuseUnrunnable(task, imageTemplate !== null)
}

function noTask(format: TaskFormat, folders: readonly string[], skipped: readonly Remark[]) {
  const [first] = skipped
  if (!first) {
    const wanted = format === 'problems' ? 'problem' : `folder with a ${taskFiles[format]}`
    return `No ${wanted} found below ${folders.join(', ')}`
  }
  return `None of ${skipped.length} ${skipped.length === 1 ? 'task' : 'tasks'} can be imported. The first is ${first.task}: ${first.text}`
}

async function findPrevious(context: Context, experimentId: string) {
  const previous = await findVersion(context.db, { organizationId: context.organization.id, experimentId }).catch(
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return null
      throw error
    },
  )
  if (previous && !isImportOfTasks(previous.definition))
    throw conflict(`Experiment "${experimentId}" exists and was not imported from tasks. Choose another id`)
  return previous
}

/** Files that people added to the package, which the kept parts of the definition still need. */
function filesOfPeople(previous: { definition: Definition; files: VersionFile[] } | null, own: readonly VersionFile[]) {
  const sources = new Set(own.map(({ source }) => source))
  return previous?.files.filter(({ source }) => !sources.has(source) && !source.startsWith('tasks/')) ?? []
}
