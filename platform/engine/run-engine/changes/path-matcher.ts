type Matching<Part> = { isAny: (part: Part) => boolean; matches: (part: Part, item: string) => boolean }

/**
 * Returns whether a path matches one of the patterns. `*` and `?` match inside a name, but not a dot at its start, and
 * `**` matches any number of folders; every other character is itself. The time grows with the product of both
 * lengths, whatever the pattern: it comes from a definition.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const compiled = patterns.map((pattern) => pattern.split('/').map((name) => ({ name, characters: [...name] })))
  return (path) => {
    const names = path.split('/')
    return compiled.some((pattern) =>
      matchesAll(pattern, names, { isAny: ({ name }) => name === '**', matches: matchesName }),
    )
  }
}

function matchesName({ characters }: { characters: readonly string[] }, name: string) {
  if (name.startsWith('.') && characters[0] !== '.') return false
  return matchesAll(characters, [...name], {
    isAny: (character) => character === '*',
    matches: (character, actual) => character === '?' || character === actual,
  })
}

/** Matches from left to right. After a mismatch the last part that matches anything takes one item more. */
function matchesAll<Part>(pattern: readonly Part[], items: readonly string[], { isAny, matches }: Matching<Part>) {
  let place = 0
  let any = -1
  let taken = 0
  for (let at = 0; at < items.length;) {
    const part = pattern[place]
    if (part !== undefined && isAny(part)) {
      any = place
      taken = at
      place += 1
    } else if (part !== undefined && matches(part, items[at] ?? '')) {
      place += 1
      at += 1
    } else if (any >= 0) {
      taken += 1
      place = any + 1
      at = taken
    } else return false
  }
  return pattern.slice(place).every(isAny)
}
