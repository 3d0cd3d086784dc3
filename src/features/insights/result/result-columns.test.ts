import { array, assert, bigInt, property } from 'fast-check'
import { expect, test } from 'vitest'

import { sortRows } from './result-columns.ts'

const sorted = (values: unknown[], isDescending = false, kind: 'number' | 'time' = 'number') =>
  sortRows(
    values.map((value) => [value]),
    0,
    kind,
    isDescending,
  ).map(([value]) => value)

test('infinities are numbers; NaN and then missing values are last in both directions', () => {
  const values = [3, NaN, 1, null, Infinity, 2, -Infinity, 10, NaN, 0.5]
  expect(sorted(values)).toEqual([-Infinity, 0.5, 1, 2, 3, 10, Infinity, NaN, NaN, null])
  expect(sorted(values, true)).toEqual([Infinity, 10, 3, 2, 1, 0.5, -Infinity, NaN, NaN, null])
})

test('integers above 2^53 and long decimals are sorted by every digit', () => {
  const integers = ['9007199254740993', '9007199254740992', '9007199254740994', '9007199254740991', '-9007199254740993']
  expect(sorted(integers)).toEqual([integers[4], integers[3], integers[1], integers[0], integers[2]])
  const decimals = ['1.00000000000000000002', '1.00000000000000000001', '1', '-1.00000000000000000002']
  expect(sorted(decimals)).toEqual([decimals[3], decimals[2], decimals[1], decimals[0]])
})

test('times are sorted by their fractions, too', () => {
  const times = ['2026-11-20T10:00:00.500Z', null, '2026-11-20T10:00:00.040Z', '2026-11-20T09:00:00.900Z']
  expect(sorted(times, false, 'time')).toEqual([times[3], times[2], times[0], null])
  expect(sorted(times, true, 'time')).toEqual([times[0], times[2], times[3], null])
})

test('any integers are sorted as integers', () => {
  assert(
    property(array(bigInt({ min: -(2n ** 255n), max: 2n ** 256n })), (integers) => {
      const expected = integers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String)
      expect(sorted(integers.map(String))).toEqual(expected)
    }),
  )
})
