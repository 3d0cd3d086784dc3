const schemes = new Set(['http:', 'https:', 'mailto:'])

/** The address itself when a reader may follow it, else nothing. A place within the same text (a footnote) is safe. */
export function safeUrl(url: string): string | undefined {
  if (url.startsWith('#')) return url
  return URL.canParse(url) && schemes.has(new URL(url).protocol) ? url : undefined
}
