const maxNamed = 20
const maxCharacters = 200

/** A value of a task file in a sentence. */
export function plain(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

/** Names of a task file in a sentence. Such a file can have any number of them, of any length. */
export const listed = (names: readonly string[]) =>
  names.slice(0, maxNamed).map(plain).join(', ') +
  (names.length > maxNamed ? ` and ${(names.length - maxNamed).toLocaleString('en')} more` : '')

export const noteOfUnknown = (file: string, keys: readonly string[]) =>
  keys.length === 0 ? [] : [`Keys of ${file} that are not known have no effect: ${listed(keys)}`]
