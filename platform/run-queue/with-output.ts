import { stripVTControlCharacters } from 'node:util'

const shownCharacters = 2000

/** What went wrong and, below it, the last words of what was printed: plain text, read in places that know no terminal's colours. */
export function withOutput(sentence: string, output: string) {
  const shown = stripVTControlCharacters(output).slice(-shownCharacters).trim()
  return shown ? `${sentence}\n${shown}` : sentence
}
