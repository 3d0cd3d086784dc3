import { type ReactNode, use, useMemo } from 'react'
import {
  createPath,
  type Navigator,
  Route,
  Router,
  Routes,
  type To,
  UNSAFE_DataRouterContext,
  UNSAFE_LocationContext,
  UNSAFE_NavigationContext,
  UNSAFE_RouteContext,
} from 'react-router'

import { splitOrganizationPath } from '#contract/organization-path.ts'
import { LinkContext } from '#src/ui/LinkContext.ts'

type Props = {
  /** The URL that the content reads: a path with query and fragment. */
  path: string
  pattern: string
  /** Called when the content navigates. `isReplace`: a display option changed, instead of following a link. */
  onNavigate: (path: string, isReplace: boolean) => void
  children: ReactNode
}

const outside = { outlet: null, matches: [], isDataRoute: false }

/**
 * Gives its content a URL of its own, so that a view draws what its own page would. React Router allows one router in a
 * page; its contexts are replaced here, and nowhere else, to have a second one inside.
 */
export function FramedPage({ path, pattern, onNavigate, children }: Props) {
  const { basename, navigator: outer } = use(UNSAFE_NavigationContext)
  const { Link } = use(LinkContext)
  const links = useMemo(
    () => ({ Link, open: (href: string) => onNavigate(resolved(href, path), false) }),
    [Link, onNavigate, path],
  )
  const navigator = useMemo((): Navigator => {
    const go = (to: To, isReplace: boolean) =>
      onNavigate(splitOrganizationPath(typeof to === 'string' ? to : createPath(to)).rest, isReplace)
    return {
      createHref: (to) => outer.createHref(to),
      go: () => {},
      push: (to) => go(to, false),
      replace: (to) => go(to, true),
    }
  }, [outer, onNavigate])
  return (
    <UNSAFE_DataRouterContext value={null}>
      <UNSAFE_RouteContext value={outside}>
        {/* React Router checks for null; its type does not say so. */}
        <UNSAFE_LocationContext value={null as never}>
          <Router basename={basename} location={basename === '/' ? path : basename + path} navigator={navigator}>
            <Routes>
              <Route path={pattern} element={<LinkContext value={links}>{children}</LinkContext>} />
            </Routes>
          </Router>
        </UNSAFE_LocationContext>
      </UNSAFE_RouteContext>
    </UNSAFE_DataRouterContext>
  )
}

function resolved(href: string, path: string) {
  const { pathname, search, hash } = new URL(href, `http://page.invalid${path}`)
  return pathname + search + hash
}
