import { expect, test } from 'vitest'

import { liveText } from './live-text.ts'
import { table, tableOrRecords } from './table.ts'
import { wrapWords } from './wrap-words.ts'

test('prose breaks between words and keeps its indent, and a file or a pipe gets it whole', () => {
  const text = 'One two three four\n  five six seven'
  expect(wrapWords(text, 10)).toBe('One two\nthree four\n  five six\n  seven')
  expect(wrapWords(text, null)).toBe(text)
})

test('a word that is longer than a line stays whole, so that an address can be copied', () => {
  expect(wrapWords('See http://127.0.0.1:4400/runs now', 10)).toBe('See\nhttp://127.0.0.1:4400/runs\nnow')
  expect(wrapWords('広い文字 は二倍', 8)).toBe('広い文字\nは二倍')
})

test('a column of numbers is at the right, also where some are missing', () => {
  expect(table(['TIME'], [['1.2 s'], ['–'], ['106 ms']])).toBe('  TIME\n 1.2 s\n     –\n106 ms\n')
  expect(table(['PASSED'], [['10/12'], ['–'], ['1/1']])).toBe('PASSED\n 10/12\n     –\n   1/1\n')
})

test('a table that is wider than the terminal becomes a list of fields, and no line is longer than its longest value', () => {
  const rows = [
    ['a', 'x'.repeat(20)],
    ['b', null],
  ]
  expect(tableOrRecords(['id', 'text'], rows, 20)).toBe(
    `Row 1\n  id    a\n  text  ${'x'.repeat(20)}\nRow 2\n  id    b\n  text  –\n`,
  )
  expect(tableOrRecords(['id', 'text'], rows, 80)).toBe(table(['id', 'text'], rows))
  expect(tableOrRecords(['id', 'text'], rows, null)).toBe(table(['id', 'text'], rows))
})

test('a live table replaces its lines from their start, wherever the cursor is', () => {
  let written = ''
  const live = liveText({ error: (text) => void (written += text), columns: { out: null, error: 6 } })
  live.show('first line')
  live.show('2')
  expect(written).toBe('first\n\r\u001b[1A\u001b[J2\n')
})
