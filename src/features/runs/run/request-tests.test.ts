import { expect, test } from 'vitest'

import type { Run } from '#contract/runs.ts'
import type { TestOutcome } from '#src/api/request-tests.ts'
import { listFailures, withRun, withTestsOf } from './failure-walk.ts'
import { groupsWithTest } from './groups-with-test.ts'
import { nearestPass } from './nearest-pass.ts'
import { withRepeats } from './use-variant-repeats.ts'

const outcome = (runId: string, testName: string, result: TestOutcome['outcome'] = 'failed') =>
  ({ runId, testName, outcome: result }) as TestOutcome

test('a failed run has failures to step through even if the request has loaded without it', () => {
  const tests = withTestsOf('mine', [outcome('mine', 'a')], [outcome('other', 'a')])
  expect(listFailures(withRun('mine', ['other']), tests)).toEqual([
    { runId: 'other', testName: 'a' },
    { runId: 'mine', testName: 'a' },
  ])
})

test('the tests of the open run count once, with the outcomes that its own page shows', () => {
  const loaded = [outcome('mine', 'a', 'passed'), outcome('other', 'a')]
  expect(withTestsOf('mine', [outcome('mine', 'a')], loaded)).toEqual([outcome('other', 'a'), outcome('mine', 'a')])
  expect(withTestsOf('mine', [], loaded)).toBe(loaded)
  expect(withRun('mine', ['other', 'mine'])).toEqual(['other', 'mine'])
})

const group = (variantId: string, status: Run['status'] = 'completed') => ({
  variantId,
  runs: [{ id: variantId, status } as Run],
})

test('the same test is shown for variants that have it or may still have it, and not for other tasks', () => {
  const requestTests = {
    groups: [group('same task'), group('other task'), group('died early', 'errored'), group('live', 'running')],
    tests: [outcome('same task', 'a'), outcome('other task', 'b'), outcome('live', 'b')],
    isCapped: false,
  }
  const shown = (isCapped: boolean) =>
    groupsWithTest({ ...requestTests, isCapped }, 'a').map(({ variantId }) => variantId)
  expect(shown(false)).toEqual(['same task', 'died early', 'live'])
  expect(shown(true)).toHaveLength(4)
})

test('the repeats of a variant in other requests join the lone run of this request, in order', () => {
  const run = (id: string, repeat: number) => ({ id, variantId: 'v', repeat, status: 'completed' }) as Run
  const mine = run('mine', 2)
  const requestTests = {
    groups: [{ variantId: 'v', runs: [mine] }, group('other task')],
    tests: [outcome('mine', 'a'), outcome('other task', 'b')],
    isCapped: false,
    isLoaded: true,
    error: null,
  }
  const shown = withRepeats(requestTests, {
    run: mine,
    runs: [run('third', 3), mine, run('first', 1)],
    tests: [outcome('third', 'a', 'passed'), outcome('mine', 'a', 'passed')],
  })
  expect(shown.groups.map(({ runs }) => runs.map(({ id }) => id))).toEqual([['first', 'mine', 'third'], ['other task']])
  expect(shown.tests.filter(({ runId }) => runId === 'mine')).toEqual([outcome('mine', 'a')])
  expect(groupsWithTest(shown, 'a').map(({ variantId }) => variantId)).toEqual(['v'])
  expect(nearestPass(shown, mine, 'a')?.id).toBe('third')
})
