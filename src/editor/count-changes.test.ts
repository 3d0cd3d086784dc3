import { expect, test } from 'vitest'

import { countChanges } from './count-changes.ts'

test.each([
  ['a\nb\nc', 'a\nb\nc', { added: 0, removed: 0 }],
  ['a\nb\nc', 'a\nx\nc', { added: 1, removed: 1 }],
  ['a\nb\nc', 'a\nc', { added: 0, removed: 1 }],
  ['a\nc\n', 'a\nb1\nb2\nc\n', { added: 2, removed: 0 }],
  ['first\nb\nlast', 'First\nb\nLast', { added: 2, removed: 2 }],
])('added and removed lines are counted: %j → %j', (before, after, changes) => {
  expect(countChanges(before, after)).toEqual(changes)
})
