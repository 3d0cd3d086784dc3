/** Where to go after signing in: a path of ours, never another site, never the sign-in page itself. */
export function returnPath(from: string | null): string {
  const base = 'http://assay.invalid'
  if (from === null || !from.startsWith('/') || !URL.canParse(from, base)) return '/'
  const url = new URL(from, base)
  return url.origin === base && url.pathname !== '/sign-in' ? url.pathname + url.search + url.hash : '/'
}
