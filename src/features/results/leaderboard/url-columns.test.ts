import { expect, test } from 'vitest'

import { readColumns, writeColumns } from './url-columns.ts'

test('chosen columns survive the way into a URL and back', () => {
  const chosen = { passAt5: true, p50: false, passTo5: true }
  expect(writeColumns(chosen)).toBe('passAt5,-p50,passTo5')
  expect(readColumns(writeColumns(chosen))).toEqual(chosen)
  expect(readColumns('')).toEqual({})
  expect(readColumns(',-,p90')).toEqual({ p90: true })
})
