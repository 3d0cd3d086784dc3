import type { Organization } from '#contract/identity.ts'

const storageKey = 'assay.organization'

let current: string | undefined

/** The organization of every call; undefined until someone signs in. */
export const currentOrganizationId = () => current

/**
 * Picks the organization with the requested slug, or none if the caller has no access to it. Without a slug it picks
 * the last used one, or the first. Remembers the choice.
 */
export function selectOrganization(
  organizations: readonly Organization[],
  requested: string | null,
): Organization | null {
  const selected = requested === null ? lastUsed(organizations) : organizations.find(({ slug }) => slug === requested)
  current = selected?.id
  if (selected) localStorage.setItem(storageKey, selected.id)
  return selected ?? null
}

function lastUsed(organizations: readonly Organization[]) {
  const remembered = localStorage.getItem(storageKey)
  const find = (key: string | null | undefined) => organizations.find(({ id }) => id === key)
  return find(current) ?? find(remembered) ?? organizations[0]
}

/** Nobody has used this browser before, so asking for the caller would only fail. */
export const isFirstVisit = () => localStorage.getItem(storageKey) === null

export const forgetOrganization = () => {
  current = undefined
}
