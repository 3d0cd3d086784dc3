import { maxExperimentIdCharacters, maxExperimentNameCharacters } from './experiment-id.ts'

/** `<id>-v2`, or with a counter when that id is taken: `<id>-v2-2`, `<id>-v2-3`… */
export const forkId = (sourceId: string, counter: number) =>
  withSuffix(sourceId, counter === 1 ? '-v2' : `-v2-${counter}`, maxExperimentIdCharacters)

/** The source's name followed by `(V2)`. */
export const forkName = (sourceName: string) => withSuffix(sourceName, ' (V2)', maxExperimentNameCharacters)

/** Shortens a text that is too long for its suffix, without splitting a character. */
function withSuffix(text: string, suffix: string, longest: number) {
  const room = longest - suffix.length
  if (text.length <= room) return text + suffix
  const cut = text.slice(0, room)
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).replace(/[-\s]+$/, '') + suffix
}
