import type { ImportFormat, ImportPreview, ImportTasks } from '#contract/imports.ts'
import { taskFormatTitles } from '#contract/task-formats.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { ListedTasks } from '#platform/program/imports/tasks/listed-tasks.ts'
import { importTasks } from '#platform/program/imports/tasks/import-tasks.ts'
import { toNames } from '#platform/program/imports/results/survey-runs.ts'
import { withTasksApart } from '#platform/program/imports/tasks/read-tasks-apart.ts'
import { discardFiles } from './discard-import.ts'
import type { HeldImport } from './held-import.ts'
import { addMadeVersion, updateImport } from './store.ts'
import { nameForNew, type Naming, toLeftOut } from './to-preview.ts'

/** Tasks of a benchmark, looked for where nothing else was asked for. */
export const mayBeTasks = (format: ImportFormat | null) => format === null || format === 'tasks'

const search = (folder: string) => ({
  paths: [folder],
  shownFrom: folder,
  formats: null,
  imageTemplate: null,
  isUpload: true,
})

export const listTasks = (folder: string, signal: AbortSignal) =>
  withTasksApart(search(folder), (source) => source.list(), signal)

/** What an import of tasks will make. */
export async function toTasksPreview({ tasks, skipped }: ListedTasks, names: Naming): Promise<ImportPreview> {
  const none = { count: 0, names: [] }
  const titles = Map.groupBy(tasks, ({ format }) => taskFormatTitles[format])
  const notes = Map.groupBy(
    tasks.flatMap((task) => task.notes),
    (text) => text,
  )
  const found: ImportTasks = {
    formats: [...titles].map(([title, all]) => ({ title, tasks: all.length })),
    count: tasks.length,
    withSolution: tasks.filter(({ hasSolution }) => hasSolution).length,
    names: toNames(tasks.map(({ id }) => id)),
    notes: [...notes]
      .map(([text, all]) => ({ text, tasks: all.length }))
      .sort((a, b) => b.tasks - a.tasks)
      .slice(0, mostNotes),
  }
  return {
    formats: [],
    runs: 0,
    agents: none,
    models: none,
    prompts: none,
    solved: 0,
    tests: 0,
    scores: 0,
    transcripts: 0,
    leftOut: leftOutOf(skipped),
    tables: [],
    tasks: found,
    ...(await nameForNew(`${[...titles.keys()].join(' and ')} tasks`, names)),
  }
}

const mostNotes = 100

const leftOutOf = (skipped: ListedTasks['skipped']) =>
  toLeftOut(skipped.map(({ task, text }) => ({ what: 'file', file: task, reason: text })))

/** Makes a version of the experiment of these tasks, together with the fact that this import made it. */
export async function runTasksImport(context: Context, { row, signal, update, lock }: HeldImport, folder: string) {
  const experimentId = row.experimentId ?? ''
  const { created, tasks, skipped } = await importTasks(context, {
    ...search(folder),
    experimentId,
    name: row.experimentName ?? experimentId,
    withNothing: true,
    signal,
    onProgress: (done, total) => update({ done, total }),
    async onVersion(tx, pushed) {
      await lock(tx)
      if (pushed.created) await addMadeVersion(tx, row.id, pushed.fingerprint)
    },
  })
  await context.db.transaction(async (tx) => {
    await lock(tx)
    await discardFiles(tx, row.id)
    const [imported, alreadyImported] = created ? [tasks, 0] : [0, tasks]
    const endedAt = await clockNow(tx)
    const result = { imported, alreadyImported, leftOut: leftOutOf(skipped) }
    await updateImport(tx, row.id, { state: 'done', endedAt, result })
  })
}
