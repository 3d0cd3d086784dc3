import { useSearchParams } from 'react-router'

import type { Focus } from './focus-state.ts'

/** Changes to the query. A list becomes repeated parameters, and an empty value is removed. */
type Changes = Record<string, string | readonly string[] | null>

export function changeQuery(current: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(current)
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const item of typeof value === 'string' ? [value] : (value ?? [])) if (item !== '') next.append(name, item)
  }
  return next
}

/**
 * The page's state, which is its URL. Typing and filtering replace the history entry; `push` adds one, so that Back
 * closes a pane or a dialog or restores a version.
 */
export function useQueryState() {
  const [searchParams, setSearchParams] = useSearchParams()
  return {
    one: (name: string) => searchParams.get(name) ?? '',
    all: (name: string) => searchParams.getAll(name),
    set: (changes: Changes, focus?: Focus) =>
      setSearchParams((current) => changeQuery(current, changes), {
        replace: true,
        preventScrollReset: true,
        state: focus && { focus },
      }),
    push: (changes: Changes) =>
      setSearchParams((current) => changeQuery(current, changes), { preventScrollReset: true }),
  }
}
