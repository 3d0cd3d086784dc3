import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy } from 'react'
import { RouterProvider } from 'react-router/dom'
import { createBrowserRouter, Link } from 'react-router'

import { queryClient, onSessionEnded } from '#src/api/query-client.ts'
import { FigurePagesContext } from '#src/shared/figures/figure-pages.ts'
import { ChartToolsContext } from '#src/ui/ChartToolsContext.ts'
import { LinkContext, type LinkProps } from '#src/ui/LinkContext.ts'
import { cspNonce } from '#src/ui/csp-nonce.ts'
import { useIsConnected } from '#src/api/connection.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { paths } from '#src/paths.ts'
import { addressBase } from '#src/url/organization-address.ts'
import { cssVariables, theme } from './theme.ts'
import classes from './ConnectionNotice.module.css'
import { figurePages } from './figure-pages.ts'
import { reloadWhenStale } from './reload-when-stale.ts'
import { routes } from './routes.tsx'

/** Below `/o/<slug>`, every link and redirect stays in that organization. */
export const router = createBrowserRouter(routes, { basename: addressBase() || '/' })

const RouterLink = ({ href, ...props }: LinkProps) => <Link to={href} {...props} />

const links = { Link: RouterLink, open: (href: string) => void router.navigate(href) }

const SavePicture = lazy(async () => ({ default: (await import('#src/charts/picture/SavePicture.tsx')).SavePicture }))

const chartTools = (label: string) => <SavePicture label={label} />

// Until the first page is ready, the session middleware redirects to sign-in.
onSessionEnded(() => {
  const { initialized, navigation, location } = router.state
  const { pathname, search, hash } = navigation.location ?? location
  const needsSession = pathname !== paths.signIn() && pathname !== paths.join()
  if (initialized && needsSession) void router.navigate(paths.signIn(pathname + search + hash))
})

reloadWhenStale(() => {
  const { pathname, search } = router.state.navigation.location ?? router.state.location
  return addressBase() + pathname + search
})

/** The key is the one index.html reads before the first paint. */
const colorScheme = localStorageColorSchemeManager({ key: 'assay.color-scheme' })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      // Mantine's default variables are defined here, because mantine.css leaves out their file, an eighth of all
      // styles.
      deduplicateCssVariables={false}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      getStyleNonce={() => cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <LinkContext value={links}>
          <FigurePagesContext value={figurePages}>
            <ChartToolsContext value={chartTools}>
              <RouterProvider router={router} />
            </ChartToolsContext>
          </FigurePagesContext>
          <ConnectionNotice />
        </LinkContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Shown while the server does not answer. The page continues by itself when the server is back. */
function ConnectionNotice() {
  const isConnected = useIsConnected()
  return (
    <output className={classes.place}>
      {!isConnected && (
        <Notice title="Reconnecting…">The server is not responding. Your work on this page is safe.</Notice>
      )}
    </output>
  )
}
