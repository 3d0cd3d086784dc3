import { expect, test } from 'vitest'

import { groupLabel } from './heatmap-matrix.ts'

test('a group names each of its values, and says where none is recorded', () => {
  expect(groupLabel('')).toBe('none recorded')
  expect(groupLabel('careful~')).toBe('careful · none recorded')
  expect(groupLabel('~odd task + wrong api')).toBe('none recorded · odd task + wrong api')
})
