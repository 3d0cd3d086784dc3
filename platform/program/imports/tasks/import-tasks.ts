import type { Definition } from '#contract/definition.ts'
import type { PushReceipt, VersionFile } from '#contract/experiments.ts'
import type { TaskFormat } from '#contract/task-formats.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { conflict, Failure, invalid } from '#platform/ground/failures/failure.ts'
import { findVersion } from '#platform/inputs/experiments/find-version.ts'
import { pushExperiment } from '#platform/inputs/experiments/push-experiment.ts'
import { stageBlob } from '#platform/inputs/experiments/stage-blob.ts'
import type { SkippedTask } from './find-tasks.ts'
import type { Wanted } from './listed-tasks.ts'
import { type TaskSource, withTasksApart } from './read-tasks-apart.ts'
import { isImportOfTasks, leavesOutOracle } from './to-definition.ts'

type TasksImport = Wanted & {
  paths: readonly string[]
  /** The folder below which names start, for people; null for their whole paths. */
  shownFrom?: string | null
  /** The only formats to look for; null for any. */
  formats: readonly TaskFormat[] | null
  imageTemplate: string | null
  isUpload?: boolean
  /** Ends the import; what is staged stays for the next. */
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void | Promise<void>
  /** Called in the transaction that stores the version. Throwing refuses it. */
  onVersion?: (tx: Database, pushed: PushReceipt) => Promise<void>
}

export type TasksReceipt = Pick<PushReceipt, 'experimentId' | 'ordinal'> & {
  /** False if the same tasks were imported before. */
  created: boolean
  tasks: number
  withSolution: number
  /** True if too many tasks have no solution to exclude each of them from the runs of `oracle`. */
  withoutOracle: boolean
  /** Tasks that did not become a prompt, with the reason. */
  skipped: SkippedTask[]
  /** Sentences about parts of imported tasks without a counterpart here. */
  notes: SkippedTask[]
}

/**
 * Makes a runnable experiment of tasks in public formats (docs/import-tasks.md), which a content process finds and reads. A
 * second import of the same tasks changes nothing. Errors: `invalid_argument` when no task can be imported,
 * `already_exists` for an experiment that was not imported this way.
 */
export function importTasks(
  context: Context,
  { paths, shownFrom = null, formats, imageTemplate, isUpload = false, signal, ...into }: TasksImport,
): Promise<TasksReceipt> {
  const start = { paths, shownFrom, formats, imageTemplate, isUpload }
  return withTasksApart(start, (source) => importFrom(context, source, { ...into, imageTemplate, paths }), signal)
}

type Into = Omit<TasksImport, 'shownFrom' | 'formats' | 'isUpload' | 'signal'>

async function importFrom(context: Context, source: TaskSource, into: Into): Promise<TasksReceipt> {
  const { imageTemplate, onProgress = () => {}, experimentId, name, withNothing } = into
  const wanted = { experimentId, name, withNothing }
  const previous = await findPreviousTasks(context, into.experimentId)
  const { tasks: listed, skipped } = await source.list()
  if (listed.length === 0) throw invalid(noTask(into.paths, skipped))
  const made = { wanted, previous: previous?.definition ?? null }
  // Known before anything is stored, because the files of a large benchmark take a while.
  const whole = await source.definition({ ...made, tasks: [...listed.keys()], as: 'packages' })
  if (whole === null && imageTemplate !== null) throw invalid(tooLarge(listed.length))
  const as = whole === null ? 'folder' : 'packages'
  const kept: number[] = []
  const versionFiles: VersionFile[] = []
  for (const [index, task] of listed.entries()) {
    const answer = await source.files(index, as)
    if ('refusal' in answer) skipped.push({ task: task.place, text: answer.refusal })
    else {
      for (const { tar, ...file } of answer.files)
        versionFiles.push({ ...file, ...(await stageBlob(context, context.organization.id, tar)) })
      kept.push(index)
    }
    await onProgress(index + 1, listed.length)
  }
  if (kept.length === 0) throw invalid(noTask(into.paths, skipped))
  const isWhole = whole !== null && kept.length === listed.length
  const experimentYaml = isWhole ? whole : await source.definition({ ...made, tasks: kept, as })
  if (experimentYaml === null) throw invalid(tooLarge(kept.length))
  const tasks = kept.flatMap((place) => listed[place] ?? [])
  const pushed = await pushExperiment(
    context,
    {
      experimentYaml,
      replaceVersionFiles: true,
      versionFiles: [...versionFiles, ...filesOfPeople(previous, versionFiles)],
    },
    into.onVersion,
  )
  return {
    experimentId: pushed.experimentId,
    ordinal: pushed.ordinal,
    created: pushed.created,
    tasks: tasks.length,
    withSolution: tasks.filter(({ hasSolution }) => hasSolution).length,
    withoutOracle: leavesOutOracle(tasks),
    skipped,
    notes: tasks.flatMap(({ id, notes }) => notes.map((text) => ({ task: id, text }))),
  }
}

const tooLarge = (tasks: number) =>
  `${tasks.toLocaleString('en')} tasks make a definition of more than ${limits.yamlBytes.toLocaleString('en')} bytes, the limit where one image is named for all. Import fewer into one experiment`

function noTask(paths: readonly string[], skipped: readonly SkippedTask[]) {
  const [first] = skipped
  if (!first) return `No task found below ${paths.join(', ')}`
  return `None of ${skipped.length} ${skipped.length === 1 ? 'task' : 'tasks'} can be imported. The first is ${first.task}: ${first.text}`
}

/** The newest version of an experiment that an import of tasks made, or null. Errors: `already_exists` for any other. */
export async function findPreviousTasks(context: Context, experimentId: string) {
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
