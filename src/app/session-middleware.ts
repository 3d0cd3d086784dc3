import { type MiddlewareFunction, redirect } from 'react-router'

import { isApiError } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { isFirstVisit, selectOrganization } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'

/**
 * Runs before every loader below the shell: someone is signed in and calls are scoped to one organization, the one
 * `?org=` names if it names one. Without a session the same URL comes back after signing in.
 */
export const requireSession: MiddlewareFunction = async ({ request }) => {
  const { pathname, search, searchParams } = new URL(request.url)
  // A request has no fragment, and that is where a pasted link holds its SQL.
  const hash = window.location.pathname === pathname ? window.location.hash : ''
  const from = pathname + search + hash
  const { queryKey } = whoamiOptions()
  if (isFirstVisit() && !queryClient.getQueryData(queryKey)) throw redirect(paths.signIn(from))
  const caller = await queryClient.ensureQueryData(whoamiOptions()).catch((error: unknown) => {
    if (isApiError(error, 'unauthenticated')) throw redirect(paths.signIn(from))
    throw error
  })
  selectOrganization(caller.organizations, searchParams.get('org'))
}
