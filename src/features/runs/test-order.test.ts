import { expect, test } from 'vitest'

import type { Outcome } from '#contract/outcomes.ts'
import type { CapturedTest } from '#contract/runs.ts'

import { failingFirst, neighborFailure } from './test-order.ts'

const tests = (['passed', 'failed', 'skipped', 'errored', 'failed', 'unresolved'] as const).map(
  (outcome: Outcome, ordinal) => ({ outcome, ordinal, testName: `t${ordinal}` }) as CapturedTest,
)

const namesOf = (list: CapturedTest[]) => list.map(({ testName }) => testName)

test('what needs a look comes first, otherwise in the order they ran', () => {
  expect(namesOf(failingFirst(tests))).toEqual(['t1', 't4', 't3', 't5', 't0', 't2'])
})

test('next and previous walk the failures and wrap round', () => {
  const walk = (open: string | null, step: 1 | -1) => neighborFailure(tests, open, step)?.testName
  expect([walk(null, 1), walk('t1', 1), walk('t5', 1), walk('t1', -1), walk('t0', -1)]).toEqual([
    't1',
    't4',
    't1',
    't5',
    't5',
  ])
  expect(neighborFailure([], null, 1)).toBeNull()
})
