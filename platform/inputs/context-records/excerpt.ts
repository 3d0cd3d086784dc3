import type { ContextFields } from '#contract/context-kinds.ts'

const [longest, before] = [240, 60]

/** The text around the first word that was searched for, or else the start of the first text after the name. */
export function excerptOf(fields: ContextFields, words: readonly string[]) {
  const texts = Object.entries(fields)
    .filter(([field]) => field !== 'name' && field !== 'documentationUrl')
    .map(([, text]) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
  for (const text of texts) {
    const at = firstMatch(text, words)
    if (at !== -1) return cut(text, at)
  }
  return cut(texts[0] ?? '', 0)
}

function firstMatch(text: string, words: readonly string[]) {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at !== -1)
  return places.length > 0 ? Math.min(...places) : -1
}

/** Counts code points, so that no character is cut in two. */
function cut(text: string, at: number) {
  const characters = [...text]
  if (characters.length <= longest) return text
  const charactersBefore = Array.from(text.slice(0, at)).length
  const start = Math.max(0, Math.min(charactersBefore - before, characters.length - longest))
  const end = start + longest
  const shown = characters.slice(start, end).join('').trim()
  return `${start > 0 ? '…' : ''}${shown}${end < characters.length ? '…' : ''}`
}
