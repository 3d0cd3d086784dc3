import { expect, test } from 'vitest'

import { fileName } from './file-name.ts'

test.each([
  ['Отчёт за ноябрь', 'Отчёт-за-ноябрь'],
  ['ノートの結果', 'ノートの結果'],
  ['हिन्दी रिपोर्ट', 'हिन्दी-रिपोर्ट'],
  ['Μετρήσεις: v2', 'Μετρήσεις-v2'],
  ['query on exp_1.a', 'query-on-exp_1.a'],
])('the download of "%s" keeps its letters', (title, name) => {
  expect(fileName(title)).toBe(name)
})

test('a name cannot leave its folder, hide itself or be empty', () => {
  expect(fileName('../../etc/passwd')).toBe('etc-passwd')
  expect(fileName('.profile')).toBe('profile')
  expect(fileName('🎉 / \u202e', 'report')).toBe('report')
})

test('a long name fits into the 255 bytes of a file system, and no letter is cut', () => {
  expect(fileName('語'.repeat(500))).toBe('語'.repeat(66))
})
