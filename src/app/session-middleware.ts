import { type MiddlewareFunction, redirect } from 'react-router'

import type { Organization } from '#contract/identity.ts'
import { organizationPath, splitOrganizationPath } from '#contract/organization-path.ts'
import { isApiError } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { isFirstVisit, selectOrganization } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'
import { signInAutomatically } from '#src/api/session.ts'
import { paths } from '#src/paths.ts'
import { UnavailableOrganization } from './unavailable-organization.ts'

/**
 * Runs before every loader below the shell. It makes sure someone is signed in and scopes calls to the organization in
 * the URL. Without a session, the person returns to the same URL after signing in.
 */
export const requireSession: MiddlewareFunction = async ({ request }) => {
  const { pathname, search } = new URL(request.url)
  const { slug, rest } = splitOrganizationPath(pathname)
  // A request has no fragment, but a pasted link has its SQL there.
  const hash = window.location.pathname === pathname ? window.location.hash : ''
  const from = rest + search + hash
  const { queryKey } = whoamiOptions()
  // The sign-in page would load more script than the page that was asked for.
  const isKnown = !isFirstVisit() || queryClient.getQueryData(queryKey) !== undefined
  if (!isKnown && !(await signInAutomatically())) throw redirect(paths.signIn(from))
  const caller = await queryClient.ensureQueryData(whoamiOptions()).catch((error: unknown) => {
    if (isApiError(error, 'unauthenticated')) throw redirect(paths.signIn(from))
    throw error
  })
  await enterOrganization(caller.organizations, slug, from)
}

/** With several organizations the URL always names one, so that it shows everyone the same. */
async function enterOrganization(organizations: readonly Organization[], slug: string | null, path: string) {
  const selected = selectOrganization(organizations, slug)
  if (slug !== null && !selected) throw new UnavailableOrganization(slug, organizations)
  if (slug !== null || !selected || organizations.length < 2) return
  window.location.replace(organizationPath(selected.slug, path))
  // The next page takes over; this one must not show data of either organization.
  await new Promise(() => {})
}
