import { Chunk } from '@codemirror/merge'
import { Text } from '@codemirror/state'

const toText = (text: string) => Text.of(text.split('\n'))

const lineCount = (text: Text, from: number, to: number, end: number) =>
  from === to ? 0 : text.lineAt(end).number - text.lineAt(from).number + 1

/** How many lines were added and removed between two texts, as the diff shows them. */
export function countChanges(before: string, after: string): { added: number; removed: number } {
  const [a, b] = [toText(before), toText(after)]
  return Chunk.build(a, b).reduce(
    ({ added, removed }, { fromA, toA, endA, fromB, toB, endB }) => ({
      added: added + lineCount(b, fromB, toB, endB),
      removed: removed + lineCount(a, fromA, toA, endA),
    }),
    { added: 0, removed: 0 },
  )
}
