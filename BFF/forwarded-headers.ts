import type { IncomingHttpHeaders } from 'node:http'

/** Named one by one: cookies, credentials and hop-by-hop headers stay behind because nobody lists them. */
const toPlatform = ['accept', 'accept-encoding', 'content-type', 'if-none-match', 'if-match', 'range'] as const

const toBrowser = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'retry-after',
  'vary',
] as const

/** Authorization is set last, from the session. */
export const headersForPlatform = (headers: IncomingHttpHeaders, requestId: string, apiKey: string) => ({
  ...headersForStrangers(headers, requestId),
  authorization: `Bearer ${apiKey}`,
})

/** Of a request that nobody has to sign in for. */
export const headersForStrangers = (headers: IncomingHttpHeaders, requestId: string) => ({
  ...pick(headers, toPlatform),
  'x-request-id': requestId,
})

/** What one person may see is never another's from a cache: it is asked for again, and a 304 keeps that cheap. */
export function headersForBrowser(headers: IncomingHttpHeaders) {
  return { ...pick(headers, toBrowser), 'cache-control': headers['cache-control'] ?? 'private, no-cache' }
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]) {
  const picked: Record<string, string | string[]> = {}
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) picked[name] = value
  }
  return picked
}
