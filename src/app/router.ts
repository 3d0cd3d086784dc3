import { createBrowserRouter } from 'react-router'

import { onSessionEnded } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { reloadWhenStale } from './reload-when-stale.ts'
import { RouterLink } from './RouterLink.tsx'
import { routes } from './routes.tsx'

export const router = createBrowserRouter(routes)

export const links = { Link: RouterLink, open: (href: string) => void router.navigate(href) }

// Before the first page stands, the session middleware sends people to sign in by itself.
onSessionEnded(() => {
  const { initialized, navigation, location } = router.state
  const { pathname, search } = navigation.location ?? location
  if (initialized && pathname !== paths.signIn()) void router.navigate(paths.signIn(pathname + search))
})

reloadWhenStale(() => {
  const { pathname, search } = router.state.navigation.location ?? router.state.location
  return pathname + search
})
