import { expect, test } from 'vitest'

import { freeForkId } from './free-fork-id.ts'

test('the first fork is -v2, later ones count from 2', () => {
  expect(freeForkId('a', [])).toBe('a-v2')
  expect(freeForkId('a', ['a-v2'])).toBe('a-v2-2')
  expect(freeForkId('a', ['a-v2', 'a-v2-3', 'a-v2-2'])).toBe('a-v2-4')
})
