import { use } from 'react'

import { FigureContext } from '#src/ui/FigureContext.ts'
import { type ColumnChoice, useStoredColumns } from '#src/ui/table/use-data-table.ts'
import { useQueryState } from '#src/url/use-query-state.ts'

const param = 'columns'

/** `passAt5,-p50`: shown although hidden by default, or hidden with `-`. */
export const writeColumns = (chosen: Record<string, boolean>) =>
  Object.entries(chosen)
    .map(([id, isOn]) => (isOn ? id : `-${id}`))
    .join(',')

export const readColumns = (text: string): Record<string, boolean> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((id) => id !== '' && id !== '-')
      .map((id) => [id.replace(/^-/, ''), !id.startsWith('-')]),
  )

/** The columns in the URL, or else those that this browser remembers. `pinned` is for links that show the same. */
export function useUrlColumns(table: string): ColumnChoice & { pinned: Record<string, string> } {
  const url = useQueryState()
  const stored = useStoredColumns(table)
  const isFigure = use(FigureContext) !== 'page'
  const inUrl = url.one(param)
  // A figure looks the same to every reader.
  const chosen = inUrl !== '' ? readColumns(inUrl) : isFigure ? {} : stored.chosen
  const pinned = writeColumns(chosen)
  return {
    chosen,
    onChoose: (next) => {
      stored.onChoose(next)
      url.set({ [param]: writeColumns(next) })
    },
    pinned: pinned === '' ? {} : { [param]: pinned },
  }
}
