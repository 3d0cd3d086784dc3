import { expect, test } from 'vitest'

import { noOutcomes } from '#contract/outcomes.ts'
import { classifyTests } from './classify-tests.ts'

const counts = (name: string, passed: number, failed: number, flakyVariants = 0) => ({
  ...noOutcomes,
  test: name,
  passed,
  failed,
  flaky: flakyVariants > 0,
  flakyVariants,
})

test('a test is uninformative when every counted run agrees, and skipped runs do not count', () => {
  const skipped = { ...counts('skipped', 0, 0), skipped: 9 }
  const unresolved = { ...counts('unresolved', 0, 0), unresolved: 2 }
  const tests = [counts('all', 4, 0), counts('none', 0, 4), counts('some', 1, 3), skipped, unresolved]
  const { neverPass, alwaysPass, flaky } = classifyTests(tests)
  expect(neverPass.map((one) => one.test)).toEqual(['none', 'unresolved'])
  expect(alwaysPass.map((one) => one.test)).toEqual(['all'])
  expect(flaky).toEqual([])
})

test('the flakiest tests come first', () => {
  const { flaky } = classifyTests([counts('one', 1, 1, 1), counts('steady', 2, 2), counts('three', 3, 3, 3)])
  expect(flaky.map((one) => one.test)).toEqual(['three', 'one'])
})
