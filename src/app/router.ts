import { createBrowserRouter } from 'react-router'

import { onSessionEnded } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { addressBase } from '#src/url/organization-address.ts'
import { reloadWhenStale } from './reload-when-stale.ts'
import { RouterLink } from './RouterLink.tsx'
import { routes } from './routes.tsx'

/** Below `/o/<slug>`, every link and redirect stays in that organization. */
export const router = createBrowserRouter(routes, { basename: addressBase() || '/' })

export const links = { Link: RouterLink, open: (href: string) => void router.navigate(href) }

// Until the first page is ready, the session middleware redirects to sign-in.
onSessionEnded(() => {
  const { initialized, navigation, location } = router.state
  const { pathname, search, hash } = navigation.location ?? location
  if (initialized && pathname !== paths.signIn()) void router.navigate(paths.signIn(pathname + search + hash))
})

reloadWhenStale(() => {
  const { pathname, search } = router.state.navigation.location ?? router.state.location
  return addressBase() + pathname + search
})
