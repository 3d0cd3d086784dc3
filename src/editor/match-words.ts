/** How well a name matches what was typed, the best first. */
export const matchRanks = { whole: 0, word: 1, wordStart: 2, part: 3, none: 4 } as const

export type MatchRank = (typeof matchRanks)[keyof typeof matchRanks]

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Text to compare with what was typed: without case and accents, so that `jose` finds José. */
export const toSearchable = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Ranks a name: equal, a whole word of it, the start of a word, any other part, or no match. */
export function rankMatch(name: string, typed: string): MatchRank {
  const [text, wanted] = [toSearchable(name), toSearchable(typed.trim())]
  if (text === wanted) return matchRanks.whole
  if (wanted === '') return matchRanks.none
  let best: MatchRank = matchRanks.none
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const startsWord = !isWordCharacter(text[at - 1])
    const endsWord = !isWordCharacter(text[at + wanted.length])
    if (startsWord && endsWord) return matchRanks.word
    if (startsWord) best = matchRanks.wordStart
    else if (best === matchRanks.none) best = matchRanks.part
  }
  return best
}

/** Sorts by how well the name matches. Items of the same rank keep their order. */
export const sortByMatch = <Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Item[] =>
  items.toSorted((one, other) => rankMatch(nameOf(one), typed) - rankMatch(nameOf(other), typed))
