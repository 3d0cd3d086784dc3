import { createHash } from 'node:crypto'

import type { ImportColumn, ImportTable } from '#contract/imports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findPrevious } from '#platform/program/import/results/import-results.ts'
import { withResultsApart } from '#platform/program/import/results/read-results-apart.ts'
import type { HeldImport } from './held-import.ts'
import { withStagedFiles } from './stage-files.ts'
import { findParts, findRememberedColumns, type ImportRow } from './store.ts'
import { toPreview } from './to-preview.ts'

/** Reads the files for what an import of them will make. A table gets the columns that a person chose for an equal one. */
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
  const found = await withStagedFiles(context, row, async (folder) => {
    const first = await survey(folder, row.columns)
    if (row.columns !== null || first.tables.length === 0) return { survey: first, columns: row.columns }
    const columns = await findRememberedColumns(context.db, row, headersOf(first.tables))
    return columns ? { survey: await survey(folder, columns), columns } : { survey: first, columns }
  })
  const parts = await findParts(context.db, row.id)
  const paths = parts.flatMap(({ entries }) => entries.map(({ path }) => path))
  const isFree = async (id: string) => (await findPrevious(context, id)) === null
  await update({
    state: 'ready',
    stateReason: null,
    preview: await toPreview(found.survey, paths, isFree),
    columns: found.columns,
    tableColumns: found.survey.tables.length > 0 ? headersOf(found.survey.tables) : null,
  })
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
