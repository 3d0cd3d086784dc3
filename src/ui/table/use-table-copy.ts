import { useState } from 'react'

import { messageOf } from '#contract/wire/message-of.ts'
import type { Column } from './column.ts'
import { copiedTable, copyTable } from './copied-table.ts'

const shownMs = 2500

/** Copies the rows of a table, and says for a moment that it did or why it could not. */
export function useTableCopy<Row>(columns: readonly Column<Row>[]) {
  const [said, setSaid] = useState('')
  const copy = async (readRows: () => Promise<readonly Row[]>) => {
    try {
      await copyTable(readRows().then((rows) => copiedTable(columns, rows)))
      setSaid('Table copied')
    } catch (error) {
      setSaid(`Couldn’t copy: ${messageOf(error)}`)
    }
    setTimeout(() => setSaid(''), shownMs)
  }
  return { said, copy }
}
