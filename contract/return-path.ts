const base = 'http://assay.invalid'

/**
 * Returns the page to open after signing in: always a path of this app, never another site or the sign-in page itself.
 * Pages of one organization may be below `/o/<slug>`.
 */
export function returnPath(from: string | null | undefined): string {
  if (!from?.startsWith('/') || !URL.canParse(from, base)) return '/'
  const { origin, pathname, search, hash } = new URL(from, base)
  // `/.//other.example` looks like a path of this app until its dots are resolved; then a browser reads it as another
  // host.
  const isOurs = origin === base && !pathname.startsWith('//')
  return isOurs && !/^(\/o\/[^/]+)?\/sign-in$/.test(pathname) ? pathname + search + hash : '/'
}
