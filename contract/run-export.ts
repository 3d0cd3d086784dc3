import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { runFilterAliases, runFilters } from './run-list.ts'

export const ExportFormat = z.enum(['csv', 'ndjson', 'parquet'])
export type ExportFormat = z.infer<typeof ExportFormat>

export const exportTypes: Record<ExportFormat, string> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
}

/** The header with the number of rows of a file, so that a client can show progress and notice missing rows. */
export const totalHeader = 'x-total-count'

/** Addition: the file has one row for each run that matches when the export starts, whether it has ended or not. */
export const exportRuns = endpoint({
  name: 'runs.export',
  method: 'GET',
  path: '/runs/export',
  summary: 'Download every run that matches the filters, as CSV, NDJSON or Parquet',
  query: z.object({ ...runFilters, format: ExportFormat.optional() }),
  queryAliases: runFilterAliases,
  response: z.string(),
  fileTypes: Object.values(exportTypes),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'resource_exhausted'],
})
