import type { Endpoint } from '#contract/endpoint.ts'

/**
 * Marks every answer of a deprecated route with the time of its deprecation (RFC 9745) and its successor. There is no
 * `Sunset`, because routes are additive-only within v1 and have no end date.
 */
export function deprecationHeaders({ base, deprecated }: Endpoint, parameters: unknown) {
  if (!deprecated) return {}
  const values = new Map(Object.entries(parameters ?? {}))
  const path = deprecated.successor.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  )
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1000}`,
    link: `<${base}${path}>; rel="successor-version"`,
  }
}
