import { stripVTControlCharacters } from 'node:util'

const shownCharacters = 2000

/** Returns the sentence and, below it, the end of the output without terminal color codes. */
export function withOutput(sentence: string, output: string) {
  const shown = stripVTControlCharacters(output).slice(-shownCharacters).trim()
  return shown ? `${sentence}\n${shown}` : sentence
}
