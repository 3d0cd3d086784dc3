/** Text as it was found. */
type Match = { before: string; match: string; after: string }

/** From most to least: a whole word in the case that was typed, a whole word, the case that was typed. */
function worthOf({ before, match, after }: Match, search: string) {
  const isWord = !/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after)
  return (isWord ? 2 : 0) + (match === search ? 1 : 0)
}

/** The best match first; of equal ones the order stays, which is that of time. */
export const rankMatches = <Found extends Match>(found: readonly Found[], search: string): Found[] =>
  found.toSorted((a, b) => worthOf(b, search) - worthOf(a, search))
