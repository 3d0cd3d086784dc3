import { DockerfileFault } from './parse-dockerfile.ts'

/** Returns the value of a variable, or undefined. A function, because a copy for each line would cost the square. */
export type Variables = (name: string) => string | undefined

/** Looks variables up in these records, the first one first. Names that every object has are no variables. */
export const lookUp =
  (...records: readonly Readonly<Record<string, string>>[]): Variables =>
  (name) =>
    records.find((record) => Object.hasOwn(record, name))?.[name]

/** Counts the characters that variables add to the file. Throws DockerfileFault above the limit. */
export type CountExpanded = (characters: number) => void

const maxExpandedKb = 128

/** Returns the count of one line. All lines of a file share one total. */
export function createExpansion() {
  let total = 0
  return (line: number): CountExpanded =>
    (characters) => {
      total += characters
      if (total > maxExpandedKb * 1024)
        throw new DockerfileFault(line, `expands variables to more than ${maxExpandedKb} KiB`)
    }
}

// The default has a limit, because an unclosed brace would otherwise search the rest of the text each time.
const variable = /\\([\s\S])|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::([-+])([^}]{0,1024}))?\})/g

/** Expands variables like Docker: `$a`, `${a}`, `${a:-default}` and `${a:+alternative}`. */
export const expandVariables = (text: string, variables: Variables, count: CountExpanded): string =>
  text.replace(variable, (all, escaped: string | undefined, plain, braced, how, word: string | undefined) => {
    if (escaped !== undefined) return escaped === '$' ? '$' : all
    const name: string = plain ?? braced
    const value = variables(name) ?? ''
    if ((how === '-' && value === '') || (how === '+' && value !== ''))
      return expandVariables(word ?? '', variables, count)
    if (how === '+') return ''
    count(value.length)
    return value
  })

/** Splits at spaces outside of quotes, removes the quotes, and expands variables outside of single quotes. */
export function splitWords(text: string, variables: Variables, count: CountExpanded): string[] {
  const words: string[] = []
  const part = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s'"\\]|\\[\s\S])+)|(\s+)/g
  let word: string | null = null
  for (const [, single, double, bare, space] of text.matchAll(part)) {
    if (space !== undefined) {
      if (word !== null) words.push(word)
      word = null
    } else if (single !== undefined) word = (word ?? '') + single
    else word = (word ?? '') + unescape(expandVariables(double ?? bare ?? '', variables, count))
  }
  return word === null ? words : [...words, word]
}

const unescape = (text: string) => text.replace(/\\([\s\S])/g, '$1')

/** Reads `name=value …`, or the old form `name value`. A name without value has the value null. */
export function readPairs(
  text: string,
  variables: Variables,
  count: CountExpanded,
): [name: string, value: string | null][] {
  const [, name, value] = /^([^\s=]+)\s+([\s\S]*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined && !value.includes('=')) {
    return [[name, splitWords(value, variables, count).join(' ')]]
  }
  return splitWords(text, variables, count).map((word) => {
    const at = word.indexOf('=')
    return at < 0 ? [word, null] : [word.slice(0, at), word.slice(at + 1)]
  })
}
