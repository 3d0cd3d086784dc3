import { cutMiddle, fits } from './cut-names.ts'
import { unsharedNames } from './unshared-names.ts'

/** A cut name is never shorter than this. */
const least = 5

/**
 * Names of at most so many letters, or one more, where they can be told apart like this. Removes what all have in common first, then
 * letters where the names are alike: in the middle, at the end or at the start.
 */
export function shortNames(names: readonly string[], letters: number): string[] {
  const bare = unsharedNames(names, letters)
  const longest = Math.max(least, ...bare.map(({ length }) => length))
  const distinct = new Set(bare).size
  for (let most = Math.max(least, letters); most < longest; most += 4) {
    for (const cut of [cutMiddle, cutEnd, cutStart]) {
      const short = bare.map((name) => cut(name, most))
      if (new Set(short).size === distinct) return short
    }
  }
  return bare
}

const cutEnd = (text: string, most: number) => (fits(text, most) ? text : `${text.slice(0, most - 1)}…`)
const cutStart = (text: string, most: number) => (fits(text, most) ? text : `…${text.slice(1 - most)}`)
