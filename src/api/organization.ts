import type { Organization } from '#contract/identity.ts'

const storageKey = 'assay.organization'

let current: string | undefined

/** The organization every call is scoped to; undefined until somebody is signed in. */
export const currentOrganizationId = () => current

/** Picks the organization asked for (by slug or id), else the last used one, else the first; remembers it. */
export function selectOrganization(organizations: readonly Organization[], asked: string | null): Organization | null {
  const remembered = localStorage.getItem(storageKey)
  const find = (key: string | null) => organizations.find(({ id, slug }) => key === id || key === slug)
  const selected = find(asked) ?? find(current ?? null) ?? find(remembered) ?? organizations[0] ?? null
  current = selected?.id
  if (selected) localStorage.setItem(storageKey, selected.id)
  return selected
}

/** Nobody has used this browser before, so asking who they are would only be refused. */
export const isFirstVisit = () => localStorage.getItem(storageKey) === null

export const forgetOrganization = () => {
  current = undefined
}
