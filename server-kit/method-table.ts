type Served = { segments: string[]; methods: Set<string> }

/** The methods that a server accepts for each path, to distinguish a wrong method from an unknown path. */
export function createMethodTable() {
  const served: Served[] = []

  return {
    /** `url` is a template: `/runs/:id`, or with a final `*` for all paths below. */
    add(methods: string | readonly string[], url: string) {
      served.push({ segments: url.split('/'), methods: new Set([methods].flat()) })
    },

    /** Returns the methods in alphabetical order; empty for an unknown path. */
    allowed(path: string): string[] {
      const segments = path.split('/')
      const all = served.filter((route) => matches(route.segments, segments)).flatMap(({ methods }) => [...methods])
      return [...new Set(all)].toSorted()
    },
  }
}

const matches = (template: readonly string[], segments: readonly string[]) =>
  (template.at(-1) === '*' ? segments.length >= template.length : segments.length === template.length) &&
  template.every(
    (part, place) => part === '*' || (part.startsWith(':') ? segments[place] !== '' : part === segments[place]),
  )

export const wrongMethod = (method: string, path: string, allowed: readonly string[]) =>
  `\`${path}\` accepts ${allowed.join(', ')}, not ${method}`
