import { expect, test } from 'vitest'

import { hasWords } from './has-words.ts'

test('a row is found by all of its words, in any case and order, and by an empty search', () => {
  const found = (search: string) => hasWords(['Nightly smoke', null, 'Ada Admin'], search)
  expect(['SMOKE', 'ada night', ' ', ''].map(found)).toEqual([true, true, true, true])
  expect(['smoke bob', 'null', 'smokes'].map(found)).toEqual([false, false, false])
})
