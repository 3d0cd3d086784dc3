import { ExperimentId } from '#contract/experiment-id.ts'
import { getExperiment } from '#contract/experiments.ts'
import { describeLeftOut } from '#contract/left-out.ts'
import { type Import, ImportColumn, type ImportFormat } from '#contract/imports.ts'
import { counted } from '#contract/wire/counted.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Verb, Work } from '#client/work.ts'
import { ApiError } from '#src/api/errors.ts'
import { findFiles, type LocalFile } from './find-files.ts'
import { type Reading, runImport, uploadFiles } from './send-files.ts'

export type ImportOptions = {
  experiment?: string
  name?: string
  format?: ImportFormat
  column?: string[]
  pattern?: string
}

/** Uploads the files, shows what they are, and imports them. */
export const importPaths =
  (paths: readonly string[], options: ImportOptions): Verb =>
  async (work) => {
    const caller = await work.api()
    const files = (await Promise.all(paths.map((path) => findFiles(work.io.folder, path)))).flat()
    if (files.length === 0) throw new CommandError('There are no files in it')
    const done = await importFiles(work, caller, files, options)
    work.show(done, describeImport(done, caller))
  }

export async function importFiles(
  { io, note }: Pick<Work, 'io' | 'note'>,
  caller: ApiCaller,
  files: readonly LocalFile[],
  options: ImportOptions,
): Promise<Import> {
  // Files of gigabytes are not sent first.
  const { error } = ExperimentId.optional().safeParse(options.experiment)
  if (error) throw new CommandError(`--experiment ${options.experiment} ${error.issues[0]?.message}`)
  const read = await uploadFiles({ io, caller }, files, toReading(options))
  const { preview } = read
  const tasks = preview?.tasks?.count ?? 0
  if (!preview || preview.runs + tasks === 0)
    throw new CommandError(
      `No results and no tasks were found. ${describeLeftOut(leftOutOf(read)).slice(1, 6).join('. ')}`,
    )
  if (preview.problem !== undefined) throw new CommandError(preview.problem)
  const found = preview.tasks
    ? preview.tasks.formats.map((each) => `${counted(each.tasks, 'task')} of ${each.title}`)
    : preview.formats.map(({ title, runs }) => `${counted(runs, 'run')} of ${title}`)
  note(`Found ${found.join(', ')}`)
  const experimentId = options.experiment ?? preview.experimentId
  const isNew = !(await exists(caller, experimentId))
  const experimentName =
    options.name ?? (options.experiment === undefined ? preview.experimentName : options.experiment)
  return runImport({ io, caller }, read.id, { experimentId, ...(isNew && { experimentName }) })
}

function toReading({ format, pattern, column = [] }: ImportOptions): Reading {
  const columns = column.map((pair) => {
    const [field, name = ''] = pair.split(/=(.*)/s)
    const { success, data } = ImportColumn.safeParse({ field, column: name })
    if (!success) throw new CommandError(`--column ${pair} is not a field and a column, such as agent=bot`)
    return data
  })
  return {
    ...(format !== undefined && { format }),
    ...(pattern !== undefined && { pattern }),
    ...(columns.length > 0 && { columns }),
  }
}

async function exists(caller: ApiCaller, id: string) {
  try {
    await caller.call(getExperiment, { id })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}

const leftOutOf = ({ preview, result }: Import) => (result ?? preview)?.leftOut ?? []

function describeImport(done: Import, { url }: ApiCaller) {
  const { imported = 0, alreadyImported = 0 } = done.result ?? {}
  const noun = done.preview?.tasks ? 'task' : 'run'
  return [
    `Imported ${counted(imported, noun)} into ${done.experimentId}${
      alreadyImported > 0 ? `; ${counted(alreadyImported, noun)} had been imported before` : ''
    }`,
    ...(done.preview?.tasks?.notes.map((note) => `${note.text} (${counted(note.tasks, 'task')})`) ?? []),
    ...describeLeftOut(leftOutOf(done)),
    `${url}/experiments/${done.experimentId}${noun === 'task' ? '/definition' : '/results'}`,
  ].join('\n')
}
