import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import SwaggerUI, { type ViewerSystem } from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import swaggerStyle from 'swagger-ui-dist/swagger-ui.css?url'

import { writeHeader } from '#contract/session.ts'
import { apiDocumentOptions } from '#src/api/api-document.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import classes from './ApiReferencePage.module.css'

export const loader = () => queryClient.ensureQueryData(apiDocumentOptions)

/** Documents the whole API and can send requests with the key of the session. */
export function Component() {
  const { data: document } = useSuspenseQuery(apiDocumentOptions)
  const place = useRef<HTMLDivElement>(null)
  useDarkModeOfViewer()
  // Browser API: the viewer is not a React component; it renders into the given element.
  useEffect(() => {
    if (!place.current) return
    SwaggerUI({
      domNode: place.current,
      spec: document,
      docExpansion: 'list',
      filter: true,
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
      requestInterceptor: asThisSession,
      layout: 'Routes',
      plugins: [withoutKeyForm, routesLayout],
    })
  }, [document])
  return (
    <>
      <title>API reference · Assay</title>
      <PageHeader
        title="API reference"
        facts="Every route, with examples. Requests that you send from this page use your key."
      />
      <link rel="stylesheet" href={swaggerStyle} precedence="low" />
      <VisuallyHidden component="h2">Routes</VisuallyHidden>
      <div ref={place} className={classes.viewer} />
    </>
  )
}

/**
 * Adapts a request to this session: the server adds the key, a write needs our header, and the open organization is
 * named.
 */
function asThisSession(request: { url: string; headers: Record<string, string> }) {
  request.headers[writeHeader] = '1'
  const url = new URL(request.url, window.location.origin)
  const organization = currentOrganizationId()
  if (organization && !url.searchParams.has('org_id')) url.searchParams.set('org_id', organization)
  request.url = url.toString()
  return request
}

const nothing = () => () => null
const withoutKeyForm = () => ({ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } })

/** The viewer's parts without its title and servers. Its own layout would be a second `main` in the page. */
const routesLayout = ({ React: { createElement } }: ViewerSystem) => ({
  components: {
    Routes: ({ getComponent }: Pick<ViewerSystem, 'getComponent'>) =>
      createElement(
        'div',
        { className: 'swagger-ui' },
        createElement(getComponent('SvgAssets')),
        ...['errors', 'FilterContainer', 'operations', 'Models'].map((part) => createElement(getComponent(part, true))),
      ),
  },
})

// Browser API: the viewer reads its theme from a class of the document.
function useDarkModeOfViewer() {
  const isDark = useComputedColorScheme() === 'dark'
  useEffect(() => {
    const { classList } = window.document.documentElement
    classList.toggle('dark-mode', isDark)
    return () => classList.remove('dark-mode')
  }, [isDark])
}
