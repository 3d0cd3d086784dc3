import { expect, test } from 'vitest'

import type { Outcome } from '#contract/outcomes.ts'
import type { TestOutcome } from '#src/api/request-tests.ts'
import { listFailures, neighborFailure, failureIndex } from './failure-walk.ts'
import { failingFirst } from './test-order.ts'

const run = (id: string, ...outcomes: Outcome[]) =>
  outcomes.map(
    (outcome, ordinal) =>
      ({ id: `${id}:${ordinal}`, runId: id, outcome, ordinal, testName: `t${ordinal}` }) as TestOutcome,
  )

test('failed tests come first, and the others keep the order they ran in', () => {
  const tests = run('a', 'passed', 'failed', 'skipped', 'errored', 'failed', 'unresolved')
  expect(failingFirst(tests).map(({ testName }) => testName)).toEqual(['t1', 't4', 't3', 't5', 't0', 't2'])
})

const runIds = ['a', 'b', 'c', 'd']
const tests = [
  ...run('d', 'failed'),
  ...run('a', 'passed', 'failed', 'failed'),
  ...run('c', 'errored', 'failed'),
  ...run('b', 'passed'),
]
const failures = listFailures(runIds, tests)
const walk = (runId: string, testName: string | null, step: 1 | -1) => {
  const next = neighborFailure(failures, runIds, { runId, testName }, step)
  return next && `${next.runId} ${next.testName}`
}

test('the failures of a request follow the order of its runs and of each run’s page', () => {
  expect(failures.map(({ runId, testName }) => `${runId} ${testName}`)).toEqual([
    'a t1',
    'a t2',
    'c t1',
    'c t0',
    'd t0',
  ])
  expect(failureIndex(failures, { runId: 'c', testName: 't1' })).toBe(2)
})

test('next and previous continue in the next run with failures and wrap around', () => {
  expect([walk('a', 't1', 1), walk('a', 't2', 1), walk('d', 't0', 1)]).toEqual(['a t2', 'c t1', 'a t1'])
  expect([walk('c', 't1', -1), walk('a', 't1', -1)]).toEqual(['a t2', 'd t0'])
})

test('from a passed test or a run without failures, next and previous go to the nearest failure', () => {
  expect([walk('b', null, 1), walk('b', 't0', -1), walk('a', 't0', 1), walk('x', null, 1)]).toEqual([
    'c t1',
    'a t2',
    'a t1',
    'a t1',
  ])
  expect(neighborFailure([], runIds, { runId: 'a', testName: null }, 1)).toBeNull()
})
