import { expect, test } from 'vitest'

import { diffParts } from './diff-parts.ts'

const marks = { same: '', removed: '-', added: '+' } as const
const shown = (before: string, after: string) =>
  diffParts(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : `[${marks[kind]}${text}]`))
    .join('')

test('what is left of a text stands between what goes and what comes', () => {
  expect(shown('A widget for small teams', 'A widget for large teams')).toBe('A widget for [-small][+large] teams')
})

test('a phrase that was rewritten goes as a whole: the spaces between its words are nothing in common', () => {
  expect(shown('The agent of the example experiments that checks its work.', 'A careful agent')).toBe(
    '[-The agent of the example experiments that checks its work.][+A careful agent]',
  )
  expect(shown('One two three', 'Uno due three')).toBe('[-One two][+Uno due] three')
})

test('it is exact: without what comes it is the one text, without what goes the other', () => {
  const [before, after] = ['First line.\n\nSecond one, kept.\n', 'Another.\n\nSecond one, quite kept.\n\nThird.']
  const parts = diffParts(before, after)
  const without = (kind: string) =>
    parts
      .filter((part) => part.kind !== kind)
      .map(({ text }) => text)
      .join('')
  expect([without('added'), without('removed')]).toEqual([before, after])
})
