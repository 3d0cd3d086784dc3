/**
 * The organization an address names: its pages stand below `/o/<slug>` for people who see several organizations, and may
 * for everybody. `base` is that beginning, '' where the address names none; `rest` is the page's own path.
 */
export function splitOrganizationPath(path: string): { slug: string | null; base: string; rest: string } {
  const [base = '', slug = null] = /^\/o\/([a-z0-9-]{1,60})(?=[/?#]|$)/.exec(path) ?? []
  const rest = path.slice(base.length)
  return { slug, base, rest: rest.startsWith('/') ? rest : `/${rest}` }
}

/** A page of one organization. */
export const organizationPath = (slug: string, path: string) => `/o/${encodeURIComponent(slug)}${path}`
