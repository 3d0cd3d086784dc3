import { useState } from 'react'

import type { RunFilters } from '#src/api/runs.ts'

const nothing: ReadonlySet<string> = new Set()

/** The marked rows of a list, or all runs that match. Other filters start anew, another order does not. */
export function useRunSelection(filters: RunFilters) {
  const key = JSON.stringify({ ...filters, sort: undefined })
  const [state, setState] = useState({ key, ids: nothing, isAll: false })
  const { ids, isAll } = state.key === key ? state : { ids: nothing, isAll: false }
  return {
    ids,
    isAll,
    /** A change of single rows means these rows. */
    choose: (chosen: ReadonlySet<string>) => setState({ key, ids: chosen, isAll: false }),
    selectAll: () => setState({ key, ids, isAll: true }),
    clear: () => setState({ key, ids: nothing, isAll: false }),
  }
}

export type RunSelection = ReturnType<typeof useRunSelection>
