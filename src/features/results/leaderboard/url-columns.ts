import { use } from 'react'

import { FigureContext } from '#src/ui/FigureContext.ts'
import { formerColumnSort } from '#src/features/results/view/former-sorts.ts'
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

/**
 * The value of the parameter, or '' if it is the order of a heatmap's columns. That includes `runs` alone, which a new
 * leaderboard shows anyway.
 */
export const ownColumns = (text: string) => (formerColumnSort(text) === undefined ? text : '')

/** The columns in the URL, or else those that this browser remembers. `pinned` is for links that show the same. */
export function useUrlColumns(table: string): ColumnChoice & { pinned: Record<string, string> } {
  const url = useQueryState()
  const stored = useStoredColumns(table)
  const isFigure = use(FigureContext) !== 'page'
  const inUrl = ownColumns(url.one(param))
  // A figure looks the same to every reader.
  const chosen = inUrl !== '' ? readColumns(inUrl) : isFigure ? {} : stored.chosen
  const pinned = ownColumns(writeColumns(chosen))
  return {
    chosen,
    onChoose: (next) => {
      stored.onChoose(next)
      url.set({ [param]: ownColumns(writeColumns(next)) })
    },
    pinned: pinned === '' ? {} : { [param]: pinned },
  }
}
