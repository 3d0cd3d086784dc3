import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router'

import type { Focus } from './focus-state.ts'

/** Changes to the query. A list becomes repeated parameters, and an empty value is removed. */
type Changes = Record<string, string | readonly string[] | null>

/** The query that was last asked for, and the location that was shown then; the same URL visited later is another one. */
type Asked = { at: Location; query: URLSearchParams; replace: boolean }

let asked: Asked | undefined

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
 * closes a pane or a dialog or restores a version. A change keeps the ones before it that are not drawn yet.
 */
export function useQueryState() {
  const [searchParams] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()

  function change(changes: Changes, replace: boolean, focus?: Focus) {
    const before = asked?.at === location ? asked : undefined
    asked = {
      at: location,
      query: changeQuery(before?.query ?? searchParams, changes),
      replace: replace && (before?.replace ?? true),
    }
    void navigate(`?${asked.query}`, {
      replace: asked.replace,
      preventScrollReset: true,
      state: focus && { focus },
    })
  }

  return {
    one: (name: string) => searchParams.get(name) ?? '',
    all: (name: string) => searchParams.getAll(name),
    set: (changes: Changes, focus?: Focus) => change(changes, true, focus),
    push: (changes: Changes) => change(changes, false),
  }
}
