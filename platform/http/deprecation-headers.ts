import type { Endpoint } from '#contract/endpoint.ts'

/**
 * Says on every answer of a deprecated route since when it is one (RFC 9745) and what takes its place. No `Sunset`: routes
 * are additive-only within v1, so no day is set on which it ends.
 */
export function deprecationHeaders({ deprecated }: Endpoint, apiRoot: string, parameters: unknown) {
  if (!deprecated) return {}
  const given = new Map(Object.entries(parameters ?? {}))
  const path = deprecated.successor.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given.get(name))))
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1000}`,
    link: `<${apiRoot}${path}>; rel="successor-version"`,
  }
}
