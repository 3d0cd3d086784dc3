import type { Organization } from '#contract/identity.ts'

const storageKey = 'assay.organization'

let current: string | undefined

/** The organization every call is scoped to; undefined until somebody is signed in. */
export const currentOrganizationId = () => current

/**
 * Picks the organization asked for by its slug, and none where the caller does not see that one; nobody asked, the last
 * used one, else the first. Remembers it.
 */
export function selectOrganization(organizations: readonly Organization[], asked: string | null): Organization | null {
  const selected = asked === null ? lastUsed(organizations) : organizations.find(({ slug }) => slug === asked)
  current = selected?.id
  if (selected) localStorage.setItem(storageKey, selected.id)
  return selected ?? null
}

function lastUsed(organizations: readonly Organization[]) {
  const remembered = localStorage.getItem(storageKey)
  const find = (key: string | null | undefined) => organizations.find(({ id }) => id === key)
  return find(current) ?? find(remembered) ?? organizations[0]
}

/** Nobody has used this browser before, so asking who they are would only be refused. */
export const isFirstVisit = () => localStorage.getItem(storageKey) === null

export const forgetOrganization = () => {
  current = undefined
}
