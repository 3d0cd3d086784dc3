import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'

import { partOf, toDocumentPositions } from './sql-part.ts'

/** `«` and `»` mark the ends of the selection. */
const partIn = (marked: string) => {
  const doc = marked.replace('«', '').replace('»', '')
  return partOf(EditorState.create({ doc, selection: { anchor: marked.indexOf('«'), head: marked.indexOf('»') - 1 } }))
}

test('a selection is trimmed, and the position of its first character is kept', () => {
  expect(partIn("SELECT '日本𝒳', (« SELECT 1\n»)")).toEqual({ sql: 'SELECT 1', line: 1, column: 17 })
  expect(partIn('-- first\n\n«\n  SELECT 2»;')).toEqual({ sql: 'SELECT 2', line: 4, column: 3 })
})

test('an empty selection, only spaces, or the whole text is not a part', () => {
  for (const marked of ['SELECT« » 1', 'SELECT «»1', ' «SELECT 1» \n']) expect(partIn(marked)).toBeNull()
})

test('an error in a part is shown at its position in the whole text', () => {
  const part = { line: 4, column: 3 }
  const message = 'unknown'
  expect(
    toDocumentPositions(part, [
      { message, line: 1, column: 8 },
      { message, line: 2, column: 5 },
      { message, line: 1 },
      { message },
    ]),
  ).toEqual([
    { message, line: 4, column: 10 },
    { message, line: 5, column: 5 },
    { message, line: 4, column: 3 },
    { message },
  ])
})
