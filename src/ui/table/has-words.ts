/** Whether the texts of a row contain every searched word, in any case. For lists that are loaded whole. */
export function hasWords(texts: readonly (string | null | undefined)[], search: string) {
  const text = texts.join('\n').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
