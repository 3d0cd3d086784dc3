import { stripVTControlCharacters } from 'node:util'

const shownCharacters = 2000
/** The pattern that finds escape sequences takes quadratic time on unfinished ones, so it gets only the end of an output. */
const readCharacters = 4 * shownCharacters

/** Returns the sentence and, below it, the end of the output without terminal color codes. */
export function withOutput(sentence: string, output: string) {
  const shown = stripVTControlCharacters(output.slice(-readCharacters)).slice(-shownCharacters).trim()
  return shown ? `${sentence}\n${shown}` : sentence
}
