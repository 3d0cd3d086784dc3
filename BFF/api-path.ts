import { Refusal } from './refusal.ts'

/**
 * Rebuilds the path of an allowed endpoint from its decoded parameters, so that none of the caller's spelling reaches
 * the platform: `/` inside a parameter stays `%2F`, and dot segments, which a server on the way might resolve, are
 * rejected. Errors: `not_found`.
 */
export function rebuildPath(template: string, params: Record<string, string>) {
  return template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(params[name] ?? ''))
}

function encodeSegment(value: string) {
  if (value === '' || value === '.' || value === '..') throw new Refusal('not_found', 'No such route')
  return encodeURIComponent(value)
}

/** Returns the query string unchanged, with its question mark. */
export function rawQuery(url: string) {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}
