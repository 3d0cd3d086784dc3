import { useLocation, useNavigate, useSearchParams } from 'react-router'

import type { Focus } from './focus-state.ts'

/** Changes to the query. A list becomes repeated parameters, and an empty value is removed. */
type Changes = Record<string, string | readonly string[] | null>

/** A query on its way to the address bar: a page whose data load arrives there later. */
type Asked = { query: URLSearchParams; replace: boolean }

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
 * closes a pane or a dialog or restores a version. A change keeps the ones before it that are not drawn yet: it builds on
 * what was asked for or is in the address bar, which both are ahead of what React has drawn.
 */
export function useQueryState() {
  const [searchParams] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()

  function change(changes: Changes, replace: boolean, focus?: Focus) {
    const { location } = window
    const isHere = location.pathname.endsWith(pathname)
    const current = asked?.query ?? (isHere ? new URLSearchParams(location.search) : searchParams)
    const mine = { query: changeQuery(current, changes), replace: replace && (asked?.replace ?? true) }
    asked = mine
    void navigate(`?${mine.query}`, {
      replace: mine.replace,
      preventScrollReset: true,
      state: focus && { focus },
    })?.finally(() => {
      if (asked === mine) asked = undefined
    })
  }

  return {
    one: (name: string) => searchParams.get(name) ?? '',
    all: (name: string) => searchParams.getAll(name),
    set: (changes: Changes, focus?: Focus) => change(changes, true, focus),
    push: (changes: Changes) => change(changes, false),
  }
}
