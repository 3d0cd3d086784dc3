import { useState } from 'react'
import { createPortal } from 'react-dom'

import { fileName } from '#src/format/file-name.ts'
import { ErrorNotice, type Failure } from '#src/ui/ErrorNotice.tsx'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import type { Column } from './column.ts'
import { downloadText, toCsv } from './csv.ts'
import classes from './DataTable.module.css'
import { tableFileTitle } from './table-file-title.ts'
import { type ColumnChoosing, TableTools } from './TableTools.tsx'
import { useToolsPlace } from '#src/ui/ToolsPlace.tsx'
import { useTableCopy } from './use-table-copy.ts'

type Options<Row> = {
  label: string
  /** The shown columns. */
  columns: readonly Column<Row>[]
  /** All rows, also those that are not loaded yet. */
  readRows: () => Promise<readonly Row[]>
  /** Replaces the download as CSV. */
  onExport?: (() => void) | undefined
  choosing?: ColumnChoosing<Row>
}

/** Downloads and copies the rows of a table, and says why if it cannot read those that are not loaded. */
export function useTableTools<Row>({ label, columns, readRows, onExport, choosing }: Options<Row>) {
  const [error, setError] = useState<Failure | null>(null)
  const { said, copy } = useTableCopy(columns)
  const place = useToolsPlace()
  const download = async () => {
    setError(null)
    try {
      const name = fileName(tableFileTitle(document.title, label))
      downloadText(`${name}.csv`, toCsv(columns, await readRows()), 'text/csv')
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  const tools = (
    <PageOnly>
      <output className={classes.said}>{said}</output>
      <TableTools
        label={label}
        exportLabel={onExport ? 'Export…' : 'Download CSV'}
        onExport={onExport ?? (() => void download())}
        onCopy={() => void copy(readRows)}
        {...(choosing && { choosing })}
      />
    </PageOnly>
  )
  return {
    /** On a line that the page has already; null if the tools need one beside the table. */
    elsewhere: place ? createPortal(tools, place) : null,
    tools,
    failure: error && (
      <ErrorNotice title={`The ${label} could not be exported`} error={error} onRetry={() => void download()} />
    ),
  }
}
