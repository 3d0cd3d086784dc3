import { expect, test } from 'vitest'

import { toCsvCell, toTabCell } from './csv-cell.ts'

test.each(['=1+1', '+1', '-a', '@SUM(A1)', '|cmd', '%x', '＝1', '  =1', '\u00A0=1', '\t=1', '\n=1', '\tx', '\rx'])(
  'a spreadsheet takes %j for text',
  (text) => {
    expect(toCsvCell(text).replace(/^"/, '')).toMatch(/^'/)
    expect(toTabCell(text).replace(/^"/, '')).toMatch(/^'/)
  },
)

test.each(['-1', '-1.5', '12345678901234567890', 'a=b', ' a', '', 'x@y'])('%j stays as it is', (text) => {
  expect(toCsvCell(text)).toBe(text)
})
