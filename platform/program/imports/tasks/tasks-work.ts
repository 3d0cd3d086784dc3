import { dump } from 'js-yaml'

import { limits } from '#contract/wire/limit.ts'
import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { toPlainLine } from '#server-kit/plain-line.ts'
import { UnusableTask, wordingsOf } from '#platform/inputs/tasks/benchmark-task.ts'
import { packFiles } from '#platform/inputs/tasks/pack-task.ts'
import { checkParts } from '#platform/inputs/tasks/read-packed-task.ts'
import { readTaskFolder } from '#platform/inputs/tasks/read-task-folder.ts'
import { packagesOf } from '#platform/inputs/tasks/task-parts.ts'
import { findTasks, type FoundTask, type SkippedTask } from './find-tasks.ts'
import {
  type ListedTasks,
  type PackedAs,
  parentOfFolders,
  type TasksAnswer,
  type TasksStart,
  type TasksStep,
  type WantedDefinition,
} from './listed-tasks.ts'
import { type TaskWithParts, toDefinition, toFolderDefinition } from './to-definition.ts'

const nothing: TasksAnswer = { listed: null, files: null, yaml: null, refusal: null }

const most = { notes: 20_000, ofTask: 100, characters: 400 }

/** Finds, reads and packs tasks, and writes their definition, in a content process. */
export const open: OpenJob<TasksStart, TasksStep, TasksAnswer> = ({ imageTemplate, ...search }) => {
  let found: FoundTask[] = []
  let tasks: TaskWithParts[] = []
  const imageOf = (id: string) => imageTemplate?.replaceAll('{task}', id.toLowerCase()) ?? null
  const read = (folder: string) => readTaskFolder(folder, imageTemplate !== null)

  async function list(): Promise<ListedTasks> {
    const { found: all, skipped } = await findTasks(search)
    found = []
    tasks = []
    const taken = new Set<string>()
    let bytes = 0
    let notes = 0
    for (const each of all) {
      await keepRefusal(skipped, each.place, async () => {
        const task = await read(each.folder)
        const wordings = wordingsOf(task).map(({ id }) => id)
        if (wordings.some((id) => taken.has(id))) throw new UnusableTask(`another task is also called ${task.id}`)
        const parts = checkParts(task, imageOf(task.id))
        wordings.forEach((id) => taken.add(id))
        bytes += Buffer.byteLength(JSON.stringify(parts))
        const told = task.notes.slice(0, Math.min(most.ofTask, most.notes - notes))
        notes += told.length
        found.push(each)
        tasks.push({
          id: task.id,
          place: each.place,
          format: each.format,
          wordings,
          hasSolution: task.solution !== null,
          notes: told.map((note) => toPlainLine(note).slice(0, most.characters)),
          parts: bytes > limits.yamlBytes ? null : parts,
        })
      })
    }
    return { tasks: tasks.map(({ parts: _parts, ...task }) => task), skipped }
  }

  async function pack(index: number, as: PackedAs) {
    const place = found[index]?.folder
    if (place === undefined) throw new Error(`There is no task ${index}`)
    const task = await read(place)
    const source = `${parentOfFolders}/${task.id}`
    const packages =
      as === 'packages'
        ? await packagesOf(task, imageOf(task.id))
        : [{ source, dest: source, packed: [{ from: place, to: 'task' }], root: 'task' }]
    const files: NonNullable<TasksAnswer['files']> = []
    for (const each of packages) files.push({ source: each.source, dest: each.dest, tar: await packFiles(each) })
    return files
  }

  return async (step) => {
    if (step === 'list') return { ...nothing, listed: await list() }
    if ('definition' in step) return { ...nothing, yaml: toYaml(step.definition, tasks) }
    try {
      return { ...nothing, files: await pack(step.files, step.as) }
    } catch (error) {
      if (!(error instanceof UnusableTask)) throw error
      return { ...nothing, refusal: error.message }
    }
  }
}

function toYaml({ tasks: places, as, wanted, previous }: WantedDefinition, listed: readonly TaskWithParts[]) {
  const tasks = places.flatMap((place) => listed[place] ?? [])
  if (as === 'packages' && tasks.some(({ parts }) => parts === null)) return null
  const definition = (as === 'folder' ? toFolderDefinition : toDefinition)(tasks, wanted, previous)
  const yaml = dump(definition, { lineWidth: 120, noRefs: true })
  return as === 'folder' || Buffer.byteLength(yaml) <= limits.yamlBytes ? yaml : null
}

async function keepRefusal(skipped: SkippedTask[], task: string, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof UnusableTask)) throw error
    skipped.push({ task, text: error.message })
  }
}
