/**
 * Splits a path into the organization and the page. Pages are below `/o/<slug>` for people with several organizations,
 * and can be for everyone. `base` is that prefix, or '' without an organization; `rest` is the path of the page itself.
 */
export function splitOrganizationPath(path: string): { slug: string | null; base: string; rest: string } {
  const [base = '', slug = null] = /^\/o\/([a-z0-9-]{1,60})(?=[/?#]|$)/.exec(path) ?? []
  const rest = path.slice(base.length)
  return { slug, base, rest: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Returns the path of a page in one organization. */
export const organizationPath = (slug: string, path: string) => `/o/${encodeURIComponent(slug)}${path}`
