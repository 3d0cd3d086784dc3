import { useState } from 'react'

import { fileName } from '#src/format/file-name.ts'
import type { Failure } from '#src/ui/ErrorNotice.tsx'
import type { Column } from './column.ts'
import { downloadText, toCsv } from './csv.ts'

/** Downloads the rows of a table as CSV, and says why if it cannot read those that are not loaded. */
export function useCsvDownload<Row>(label: string, columns: readonly Column<Row>[]) {
  const [error, setError] = useState<Failure | null>(null)
  const download = async (readRows: () => Promise<readonly Row[]>) => {
    setError(null)
    try {
      downloadText(`${fileName(label)}.csv`, toCsv(columns, await readRows()), 'text/csv')
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  return { error, download }
}
