import { expect, test } from 'vitest'

import { forkSearch, freeForkId } from './free-fork-id.ts'

test('the suggested id of the first fork ends in -v2, and later forks count up', () => {
  expect(freeForkId('a', [])).toBe('a-v2')
  expect(freeForkId('a', ['a-v2'])).toBe('a-v2-2')
  expect(freeForkId('a', ['a-v2', 'a-v2-3', 'a-v2-2'])).toBe('a-v2-4')
})

test('a long id is shortened so that the suggested id stays within the limit', () => {
  const longest = `a${'-b'.repeat(49)}c`
  expect(longest).toHaveLength(100)
  const first = freeForkId(longest, [])
  expect(first).toBe(`a${'-b'.repeat(48)}-v2`)
  const second = freeForkId(longest, [first])
  expect(second).toBe(`a${'-b'.repeat(47)}-v2-2`)
  expect([first, second].every((id) => id.includes(forkSearch(longest)))).toBe(true)
})
