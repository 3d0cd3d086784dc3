import { createContext, type ReactNode, use, useMemo, useState } from 'react'

/** The element where tools belong, and what takes it. */
type Place = readonly [HTMLElement | null, (element: HTMLElement | null) => void]

const PlaceContext = createContext<Place>([null, () => {}])

/** Puts the tools of the tables in it where `TableToolsHere` is, so that they need no line of their own. */
export function WithTableTools({ children }: { children: ReactNode }) {
  const [element, take] = useState<HTMLElement | null>(null)
  return <PlaceContext value={useMemo(() => [element, take], [element])}>{children}</PlaceContext>
}

/** Without a box of its own, so that it takes no gap while it is empty. */
export function TableToolsHere() {
  const [, take] = use(PlaceContext)
  return <span ref={take} style={{ display: 'contents' }} />
}

/** Where tools belong; null where the page has no place for them, so that they are beside their table. */
export const useToolsPlace = () => use(PlaceContext)[0]
