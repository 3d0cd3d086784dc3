import { closestMatch } from 'leven'

/**
 * Returns the name that was probably meant: the same letters in another case, one with two adjacent letters swapped, one
 * within one or two edits, or otherwise one with a part of its words (`agent_id` means `agent`), or with words that begin
 * like what was written (`exp` means `experiment_id`).
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const written = text.slice(0, maxCharacters)
  return (
    names.find((name) => plain(name) === plain(written)) ??
    names.find((name) => isSwapped(written, name)) ??
    nearestByEdits(written, names) ??
    nearestByWords(written, names, (own, word) => own === word) ??
    nearestByWords(written, names, beginsLike)
  )
}

/** No name is as long. */
const maxCharacters = 100

const plain = (name: string) => name.toLowerCase().replaceAll(/[_\s.-]/g, '')

/** Words that run together, or are apart in another way, are no edits. */
function nearestByEdits(written: string, names: readonly string[]) {
  const maxDistance = written.length > 4 ? 2 : 1
  const plainNames = names.map(plain)
  const meant = closestMatch(plain(written), plainNames, { maxDistance })
  return closestMatch(written, names, { maxDistance }) ?? (meant && names[plainNames.indexOf(meant)])
}

const wordsOf = (name: string) => name.split(/_|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())

const shortestBeginning = 3

const beginsLike = (own: string, word: string) =>
  own === word || (own.length >= shortestBeginning && word.startsWith(own))

type IsWord = (own: string, word: string) => boolean

/** The name that shares the most with what was written, of those whose words are all in it, or have all of its words. */
function nearestByWords(written: string, names: readonly string[], isWord: IsWord): string | undefined {
  const own = wordsOf(written)
  const related = names.filter((name) => {
    const words = wordsOf(name)
    const hasOwn = own.every((mine) => words.some((word) => isWord(mine, word)))
    const isPart = words.every((word) => own.some((mine) => isWord(mine, word)))
    return (hasOwn || isPart) && name.length * 2 >= written.length
  })
  const distance = (name: string) => Math.abs(name.length - written.length)
  return related.toSorted((a, b) => distance(a) - distance(b))[0]
}

const isSwapped = (written: string, name: string) =>
  written.length === name.length &&
  [...name].some((_, n) => written === name.slice(0, n) + name.charAt(n + 1) + name.charAt(n) + name.slice(n + 2))
