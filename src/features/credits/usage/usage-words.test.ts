import { expect, test } from 'vitest'

import { totalWords } from './usage-words.ts'

test('a cost is beside its change, or says that there was none before', () => {
  expect(totalWords(4.14, 3, '30 days')).toBe('$4.14 (+38 %)')
  expect(totalWords(4.14, 0, '30 days')).toBe('$4.14 (nothing in the previous 30 days)')
  expect(totalWords(0, 0, 'day')).toBe('$0.00')
})
