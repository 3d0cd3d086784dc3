import { diffLines } from 'diff'

/** Larger or more different texts are not counted. */
const [maxCharacters, maxEditLength] = [256 * 1024, 1000]

/** For all files of a run together. */
const maxMs = 2000

type Counts = { addedLines: number | null; removedLines: number | null }

const unknown: Counts = { addedLines: null, removedLines: null }

export const linesIn = (text: string) => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))

/** Counts the lines that differ between two texts of a run; null for both numbers if that takes too long. */
export function lineCounter() {
  let spentMs = 0
  return (before: string, after: string): Counts => {
    if (before === '' || after === '') return { addedLines: linesIn(after), removedLines: linesIn(before) }
    if (spentMs > maxMs || before.length + after.length > maxCharacters) return unknown
    const startedAt = performance.now()
    const parts = diffLines(before, after, { maxEditLength })
    spentMs += performance.now() - startedAt
    if (!parts) return unknown
    const sum = (some: typeof parts) => some.reduce((lines, part) => lines + (part.count ?? 0), 0)
    return {
      addedLines: sum(parts.filter((part) => part.added)),
      removedLines: sum(parts.filter((part) => part.removed)),
    }
  }
}
