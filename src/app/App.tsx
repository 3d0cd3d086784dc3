import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router/dom'

import { queryClient } from '#src/api/query-client.ts'
import { LinkContext } from '#src/ui/LinkContext.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { colorScheme } from './color-scheme.ts'
import { cspNonce } from '#src/ui/csp-nonce.ts'
import { links, router } from './router.ts'
import { cssVariables, theme } from './theme.ts'

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
          <RouterProvider router={router} />
          <ConnectionNotice />
        </LinkContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
