const schemes = new Set(['http:', 'https:', 'mailto:'])

/** Returns the URL if a reader may follow it, else undefined. A fragment within the same text (a footnote) is safe. */
export function safeUrl(url: string): string | undefined {
  if (url.startsWith('#')) return url
  return URL.canParse(url) && schemes.has(new URL(url).protocol) ? url : undefined
}
