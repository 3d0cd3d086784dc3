import { chmod, mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'

import { taskFiles } from '#contract/task-folders.ts'
import { type TaskFormat, taskFormats } from '#contract/task-formats.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { UnusableTask } from '#platform/inputs/tasks/benchmark-task.ts'
import { isFile, isFolder } from '#platform/inputs/tasks/read-task-file.ts'
import { has } from '#platform/program/import-formats/reading/fields.ts'
import { type Look, lookAtFile, samplesOf } from '#platform/program/import-formats/reading/look-at-file.ts'
import { listFiles, readHead, type ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import { type Staging, unpackArchive } from '#platform/program/import-formats/reading/unpack-archives.ts'
import { readRows } from '#platform/program/import-formats/tables/read-rows.ts'
import { exerciseFile, fromExercise } from './exercise-tasks.ts'
import { fromHumanEval, fromMbpp } from './problem-tasks.ts'
import { fromSweBench } from './swe-bench-tasks.ts'
import { type TaskFolder, writeTaskFolder } from './task-folder.ts'

/** A task in the format of Harbor or Terminal-Bench, as it was or as it was written. `place` names its source for people. */
export type FoundTask = { place: string; folder: string; format: TaskFormat }

/** A task, or a file, that did not become one, with the reason. */
export type SkippedTask = { task: string; text: string }

export type TaskSearch = {
  paths: readonly string[]
  /** The folder below which names start, for people; null for their whole paths. */
  shownFrom: string | null
  /** An empty folder, for what is unpacked and written. */
  stagingFolder: string
  /** The only formats to look for; null for any. */
  formats: readonly TaskFormat[] | null
  /** Files came one by one, so their modes say nothing. */
  isUpload: boolean
}

const limits = { depth: 8, nesting: 2, tasks: 25_000, looked: 5000, skipped: 5000 }

const ofRecords: Partial<
  Record<TaskFormat, (record: Record<string, unknown>) => TaskFolder | null | Promise<TaskFolder | null>>
> = { humaneval: fromHumanEval, mbpp: fromMbpp, 'swe-bench': fromSweBench }

/** Finds the tasks at or below paths in alphabetical order, whatever their format. Throws an Error if there are too many. */
export async function findTasks({ paths, shownFrom, stagingFolder, formats, isUpload }: TaskSearch) {
  const found: FoundTask[] = []
  const skipped: SkippedTask[] = []
  const staging: Staging = { folder: join(stagingFolder, 'archives'), count: 0, bytes: 0, files: 0 }
  const written = join(stagingFolder, 'tasks')
  for (const folder of [staging.folder, written]) await mkdir(folder)
  const isWanted = (format: TaskFormat) => formats === null || formats.includes(format)
  const shown = (place: string) => (shownFrom === null ? place : relative(shownFrom, place))
  let looked = 0
  const skip = (task: string, text: string) => {
    if (skipped.length < limits.skipped) skipped.push({ task, text })
  }
  const add = (task: FoundTask) => {
    if (found.length >= limits.tasks)
      throw new Error(`there are more than ${limits.tasks.toLocaleString('en')} tasks. Import them in parts`)
    found.push(task)
  }
  const write = async (place: string, format: TaskFormat, convert: () => TaskFolder | Promise<TaskFolder>) => {
    try {
      const { id, files } = await convert()
      // Two tasks of one name are told apart later, by their ids.
      const folder = join(written, String(found.length), id)
      await mkdir(folder, { recursive: true })
      await writeTaskFolder(folder, files)
      add({ place, folder, format })
    } catch (error) {
      if (!(error instanceof UnusableTask)) throw error
      skip(place, error.message)
    }
  }

  async function walk(folder: string, at: string, depth: number, nesting: number): Promise<void> {
    const format = await formatOfFolder(folder)
    if (format) {
      if (!isWanted(format)) return
      if (isUpload) await allowScripts(folder)
      return format === 'exercism' ? write(at, format, () => fromExercise(folder)) : add({ place: at, folder, format })
    }
    if (depth >= limits.depth) return
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) await walk(join(folder, entry.name), join(at, entry.name), depth + 1, nesting)
      else if (entry.isFile()) await lookInto(folder, entry.name, join(at, entry.name), { isNamed: false, nesting })
    }
  }

  type Way = { isNamed: boolean; nesting: number }

  /** A file with a task in each record, or an archive. Others are skipped, with a word if somebody named them. */
  async function lookInto(root: string, inside: string, at: string, { isNamed, nesting }: Way): Promise<void> {
    looked += 1
    if (looked === limits.looked + 1)
      skip(at, `only the first ${limits.looked.toLocaleString('en')} files beside tasks are looked at`)
    if (looked > limits.looked) return
    const file: ResultFile = { path: at, root, inside, size: await sizeOf(root, inside) }
    const look = await lookAtFile(file)
    if (look.kind === 'zip' || look.kind === 'archive') {
      if (nesting >= limits.nesting) return
      const kind = look.kind === 'zip' ? 'zip' : look.archive
      const before = staging.count
      try {
        const files = await unpackArchive(file, kind, {
          staging,
          leaveOut: ({ file: left, reason }) => skip(left, reason),
        })
        const folder = join(staging.folder, String(before))
        const [only] = files
        if (kind === 'gzip' || kind === 'zstd') {
          if (only) await lookInto(only.root, only.inside, at, { isNamed, nesting: nesting + 1 })
        } else await walk(folder, at, 1, nesting + 1)
      } catch (error) {
        skip(at, messageOf(error))
      }
      return
    }
    const first = await firstRecord(file, look)
    const format = first && formatOfRecord(first)
    if (!format) {
      if (isNamed) skip(at, 'it has no tasks in a format that an import reads')
      return
    }
    if (!isWanted(format)) return
    let number = 0
    for await (const record of readRows(file, look, ({ reason }) => skip(at, reason))) {
      number += 1
      const own = formatOfRecord(record)
      if (own) await write(`${at}, task ${number}`, own, () => convertRecord(own, record))
      else skip(`${at}, task ${number}`, 'it has other fields than a task')
    }
  }

  for (const path of paths) {
    if (await isFile(path)) await lookInto(dirname(path), basename(path), shown(path), { isNamed: true, nesting: 0 })
    else if (await isFolder(path)) await walk(path, shown(path), 0, 0)
    else skip(shown(path), 'it does not exist, or is neither a file nor a folder')
  }
  return { found, skipped }
}

async function formatOfFolder(folder: string): Promise<TaskFormat | null> {
  for (const [format, file] of [...Object.entries(taskFiles), ['exercism', exerciseFile] as const])
    if (await isFile(join(folder, file))) return taskFormats.find((each) => each === format) ?? null
  return null
}

/** By the names of its fields. What is wrong with their values is said of the task. */
function formatOfRecord(record: Record<string, unknown>): TaskFormat | null {
  if (has(record, 'instance_id', 'problem_statement', 'test_patch')) return 'swe-bench'
  if (has(record, 'task_id', 'prompt', 'entry_point', 'test')) return 'humaneval'
  return has(record, 'task_id', 'test_list') ? 'mbpp' : null
}

async function convertRecord(format: TaskFormat, record: Record<string, unknown>) {
  const task = await ofRecords[format]?.(record)
  if (!task) throw new UnusableTask('it lacks fields of its format')
  return task
}

/** Only Parquet has no sample yet. */
async function firstRecord(file: ResultFile, look: Look) {
  if (look.kind !== 'parquet') return samplesOf(look)[0]
  for await (const row of readRows(file, look, () => {})) return row
  return undefined
}

const sizeOf = async (root: string, inside: string) => {
  const [file] = await listFiles(join(root, inside), () => {})
  return file?.size ?? 0
}

/** A script can be started by its path, as in the folder that was uploaded. */
async function allowScripts(folder: string) {
  for (const file of await listFiles(folder, () => {})) {
    const head = file.size < 2 ? Buffer.alloc(0) : await readHead(file, 2)
    await chmod(join(file.root, file.inside), head.toString('latin1') === '#!' ? 0o755 : 0o644)
  }
}
