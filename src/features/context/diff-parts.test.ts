import { expect, test } from 'vitest'

import { diffParts } from './diff-parts.ts'

const marks = { same: '', removed: '-', added: '+' } as const
const shown = (before: string, after: string) =>
  diffParts(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : `[${marks[kind]}${text}]`))
    .join('')

test('unchanged words surround the removed and added words', () => {
  expect(shown('A widget for small teams', 'A widget for large teams')).toBe('A widget for [-small][+large] teams')
})

test('a rewritten phrase is replaced as a whole: spaces between its words do not count as unchanged', () => {
  expect(shown('The agent of the example experiments that checks its work.', 'A careful agent')).toBe(
    '[-The agent of the example experiments that checks its work.][+A careful agent]',
  )
  expect(shown('One two three', 'Uno due three')).toBe('[-One two][+Uno due] three')
})

test('without its additions the diff is the old text, and without its removals the new text', () => {
  const [before, after] = ['First line.\n\nSecond one, kept.\n', 'Another.\n\nSecond one, quite kept.\n\nThird.']
  const parts = diffParts(before, after)
  const without = (kind: string) =>
    parts
      .filter((part) => part.kind !== kind)
      .map(({ text }) => text)
      .join('')
  expect([without('added'), without('removed')]).toEqual([before, after])
})
