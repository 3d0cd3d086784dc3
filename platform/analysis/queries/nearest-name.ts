import { closestMatch } from 'leven'

/**
 * Returns the name that was probably meant: the same letters in another case, one with two adjacent letters swapped, one
 * within one or two edits, or otherwise one with a part of its words (`agent_id` means `agent`).
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const written = text.slice(0, maxCharacters)
  return (
    names.find((name) => plain(name) === plain(written)) ??
    names.find((name) => isSwapped(written, name)) ??
    closestMatch(written, names, { maxDistance: written.length > 4 ? 2 : 1 }) ??
    nearestByWords(written, names)
  )
}

/** No name is as long. */
const maxCharacters = 100

const plain = (name: string) => name.toLowerCase().replaceAll('_', '')

const wordsOf = (name: string) => name.split(/_|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())

/** The name that shares the most with what was written, of those whose words are all in it, or have all of its words. */
function nearestByWords(written: string, names: readonly string[]): string | undefined {
  const own = wordsOf(written)
  const hasAll = (some: readonly string[], all: readonly string[]) => some.every((word) => all.includes(word))
  const related = names.filter((name) => {
    const words = wordsOf(name)
    return (hasAll(words, own) || hasAll(own, words)) && name.length * 2 >= written.length
  })
  const distance = (name: string) => Math.abs(name.length - written.length)
  return related.toSorted((a, b) => distance(a) - distance(b))[0]
}

const isSwapped = (written: string, name: string) =>
  written.length === name.length &&
  [...name].some((_, n) => written === name.slice(0, n) + name.charAt(n + 1) + name.charAt(n) + name.slice(n + 2))
