import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'

import { pinnedValues } from './fold-pinned-values.ts'

const long = JSON.stringify({ columns: ['model'], rows: Array.from({ length: 20 }, (_, row) => [`model ${row}`]) })
const foldedIn = (doc: string) => pinnedValues(EditorState.create({ doc })).map(({ from, to }) => doc.slice(from, to))

test('the data of each pinned figure is folded, whole', () => {
  const block = `\`\`\`insight\nref: a\npinned: 2026-11-23T10:00:00Z\nfingerprint: 0123456789abcdef\nvalue: ${long}\n\`\`\``
  expect(foldedIn(`# Title\n\n${block}\n\nText\n\n${block}\n`)).toEqual([long, long])
})

test.each([
  ['a short value', 'fingerprint: 0123456789abcdef\nvalue: 1'],
  ['a long line of text that starts alike', `value: ${long}`],
  ['an unfinished block', 'fingerprint: 0123456789abcdef'],
])('%s is not folded', (_, doc) => {
  expect(foldedIn(doc)).toEqual([])
})
