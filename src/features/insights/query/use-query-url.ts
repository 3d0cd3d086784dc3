import { useLocation, useNavigate } from 'react-router'

import { changeQuery } from '#src/url/use-query-state.ts'
import { readQueryState } from './query-state.ts'

type Changes = Parameters<typeof changeQuery>[1]

/** The query page's URL: its query, and the SQL in its fragment. */
export function useQueryUrl() {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const go = (changes: Changes, nextHash: string, replace: boolean) => {
    const query = changeQuery(new URLSearchParams(search), changes).toString()
    void navigate({ search: query && `?${query}`, hash: nextHash }, { replace, preventScrollReset: true })
  }
  return {
    state: readQueryState({ search, hash }),
    set: (changes: Changes) => go(changes, hash, true),
    /** Runs another statement; Back returns to the previous one. */
    ask: (sql: string, changes: Changes = {}) => go(changes, `#sql=${encodeURIComponent(sql)}`, false),
  }
}
