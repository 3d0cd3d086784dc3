import { expect, test } from 'vitest'

import { fromLog, logAxis } from './nice-axis.ts'

const valuesOf = (ticks: readonly number[]) => ticks.map((tick) => Number((10 ** tick).toPrecision(6)))

test('a logarithmic axis has ticks at powers of ten, with 2 and 5 between few of them', () => {
  expect(valuesOf(logAxis(0.03, 4).ticks)).toEqual([0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5])
  expect(valuesOf(logAxis(0.0004, 900).ticks)).toEqual([0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000])
  const { low, high } = logAxis(0.03, 4)
  expect(valuesOf([low, high])).toEqual([0.02, 5])
})

test('a logarithmic axis of times has ticks at round seconds, minutes and hours', () => {
  expect(valuesOf(logAxis(7, 5000, [1, 10, 60, 600, 3600, 36_000]).ticks)).toEqual([1, 10, 60, 600, 3600, 36_000])
})

test('a round value is still round after its logarithm', () => {
  expect([600, 1000, 0.02].map((value) => fromLog(Math.log10(value)))).toEqual([600, 1000, 0.02])
})

test('a single value has an axis around it', () => {
  const { low, high } = logAxis(10, 10)
  expect(low).toBeLessThan(high)
})
