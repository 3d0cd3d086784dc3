import { expect, test } from 'vitest'

import { logScale, niceScale } from './axis-scale.ts'

test('ticks of time are round minutes or hours, and no axis ends far above its values', () => {
  expect(niceScale(0, 2300, 'time').ticks).toEqual([0, 600, 1200, 1800, 2400])
  expect(niceScale(0, 9, 'time').domain).toEqual([0, 10])
  expect(niceScale(-0.41, 0.12).ticks).toEqual([-0.6, -0.4, -0.2, 0, 0.2])
  expect(niceScale(0, 0).domain).toEqual([0, 1])
})

test('an axis of neighbors beyond 2^53, of the smallest or of the largest numbers has different ticks', () => {
  expect(niceScale(2 ** 53 - 2, 2 ** 53).ticks).toEqual([2 ** 53 - 2, 2 ** 53 - 1, 2 ** 53])
  expect(niceScale(5e-324, 1e-323).ticks).toEqual([5e-324, 1e-323])
  expect(niceScale(-1.7e308, 1.7e308).ticks).toEqual([-1.7e308, 1.7e308])
})

test('a logarithmic axis has ticks at powers of ten, with 2 and 5 between few of them', () => {
  expect(logScale(0.03, 4)).toEqual({ domain: [0.02, 5], ticks: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5] })
  expect(logScale(0.0004, 900).ticks).toEqual([0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000])
})

test('a logarithmic axis of times has ticks at round seconds, minutes and hours', () => {
  expect(logScale(7, 5000, 'time').ticks).toEqual([1, 10, 60, 600, 3600, 36_000])
})

test('a single value has a logarithmic axis around it', () => {
  const [low, high] = logScale(10, 10).domain
  expect(low).toBeLessThan(high)
})
