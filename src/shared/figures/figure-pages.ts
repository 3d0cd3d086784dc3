import { type ComponentType, createContext } from 'react'
import { matchPath } from 'react-router'

/** A page whose view a report can show. */
export type FigurePage = {
  /** The path of the page, as in its route. */
  pattern: string
  /** Draws the view of the URL; inside `FigureContext` without controls. */
  View: ComponentType
  /** True if the view has controls outside `FigureContext`, so that a form can show it for editing. */
  hasControls: boolean
  /** Whether this URL has a view; omitted if every URL of the page has one. */
  hasView?: (query: URLSearchParams, hash: string) => boolean
}

/** The app passes its pages here, because features do not import each other. */
export const FigurePagesContext = createContext<readonly FigurePage[]>([])

/** Finds the page of a path; undefined if a report cannot show it. */
export function findFigurePage(pages: readonly FigurePage[], path: string): FigurePage | undefined {
  if (!/^\/(?![/\\])/.test(path)) return undefined
  const url = new URL(path, 'http://page.invalid')
  return pages.find(
    ({ pattern, hasView }) => matchPath(pattern, url.pathname) && (hasView?.(url.searchParams, url.hash) ?? true),
  )
}
