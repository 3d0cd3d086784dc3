import { createHash } from 'node:crypto'

import type { ImportColumn, ImportTable } from '#contract/imports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findPrevious } from '#platform/program/imports/results/import-results.ts'
import { withResultsApart } from '#platform/program/imports/results/read-results-apart.ts'
import type { HeldImport } from './held-import.ts'
import { listTasks, mayBeTasks, toTasksPreview } from './run-tasks-import.ts'
import { withStagedFiles } from './stage-files.ts'
import { findParts, findRememberedColumns, type ImportRow } from './store.ts'
import { toPreview } from './to-preview.ts'

/** Reads the files for what an import of them will make: results, or else tasks. A table gets the columns that a person chose for an equal one. */
export async function readForPreview(context: Context, { row, signal, update }: HeldImport) {
  const survey = (folder: string, columns: readonly ImportColumn[] | null) =>
    withResultsApart(
      {
        ...startOf(row, columns, folder),
        scope: { organizationId: row.organizationId, experimentId: '' },
        stored: new Set(),
      },
      (source) => source.survey(),
      signal,
    )
  const parts = await findParts(context.db, row.id)
  const paths = parts.flatMap(({ entries }) => entries.map(({ path }) => path))
  const isFree = async (id: string) => (await findPrevious(context, id)) === null
  const names = { paths, isFree }
  const found = await withStagedFiles(context, row, async (folder) => {
    const results = row.format === 'tasks' ? null : await readResults(folder)
    if (results && (results.survey.tables.some(({ isRead }) => isRead) || results.survey.runs > 0)) return { results }
    const tasks = mayBeTasks(row.format) ? await listTasks(folder, signal) : null
    return tasks && (!results || tasks.tasks.length + tasks.skipped.length > 0) ? { tasks } : { results }
  })
  await update({
    state: 'ready',
    stateReason: null,
    columns: null,
    tableColumns: null,
    ...(found.tasks
      ? { preview: await toTasksPreview(found.tasks, names) }
      : found.results && {
          preview: await toPreview(found.results.survey, names),
          columns: found.results.columns,
          tableColumns: found.results.survey.tables.length > 0 ? headersOf(found.results.survey.tables) : null,
        }),
  })

  async function readResults(folder: string) {
    const first = await survey(folder, row.columns)
    if (row.columns !== null || first.tables.length === 0) return { survey: first, columns: row.columns }
    const columns = await findRememberedColumns(context.db, row, headersOf(first.tables))
    return columns ? { survey: await survey(folder, columns), columns } : { survey: first, columns }
  }
}

export const startOf = ({ format, pattern }: ImportRow, columns: readonly ImportColumn[] | null, folder: string) => ({
  paths: [folder],
  shownFrom: folder,
  format,
  options: {
    models: [],
    ...(columns && { columns: Object.fromEntries(columns.map(({ field, column }) => [field, column])) }),
    ...(pattern !== null && { pattern }),
  },
})

/** The same for tables with the same columns, wherever they lie. */
function headersOf(tables: readonly ImportTable[]) {
  const headers = new Set(tables.map(({ columns }) => JSON.stringify([...columns].sort())))
  return createHash('sha256')
    .update([...headers].sort().join('\n'))
    .digest('hex')
}
