const base = 'http://assay.invalid'

/**
 * Where to go after signing in: a path of ours, never another site, never the sign-in page itself. Pages of one
 * organization may stand below `/o/<slug>`.
 */
export function returnPath(from: string | null | undefined): string {
  if (!from?.startsWith('/') || !URL.canParse(from, base)) return '/'
  const { origin, pathname, search, hash } = new URL(from, base)
  // `/.//other.example` is a path of ours until its dots are gone; then a browser reads it as another host.
  const isOurs = origin === base && !pathname.startsWith('//')
  return isOurs && !/^(\/o\/[^/]+)?\/sign-in$/.test(pathname) ? pathname + search + hash : '/'
}
