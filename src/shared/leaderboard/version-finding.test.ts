import { expect, test } from 'vitest'

import { noOutcomes } from '#contract/outcomes.ts'
import { findVersionChange, testsBrokenBetween } from './version-finding.ts'

type Verdict = 'better' | 'worse' | 'same' | 'inconclusive' | 'unknown'

/** A group whose newest step changed by so many points since the step before it. */
function trend(label: string, verdict: Verdict, points: number, [since = 'v1', version = 'v2'] = ['v1', 'v2']) {
  const change = { since, difference: points / 100, interval: null, bound: null, adjustedP: 0.01, verdict }
  return {
    label,
    steps: [
      { at: since, change: null },
      { at: version, change },
    ],
  }
}

test('a version that made one of several groups worse says by how much, and which', () => {
  expect(findVersionChange([trend('tokenizer', 'worse', -100), trend('splitter', 'same', 0)])).toEqual({
    version: 'v2',
    since: 'v1',
    isWorse: true,
    sentence: 'v2 is worse than v1: tokenizer −100.0 points.',
  })
})

test('the only group has no name, many are counted, and the largest change comes first', () => {
  expect(findVersionChange([trend('only', 'better', 12.5)])?.sentence).toBe('v2 is better than v1: +12.5 points.')
  const many = [trend('a', 'worse', -10), trend('b', 'worse', -30), trend('c', 'worse', -20), trend('d', 'worse', -5)]
  expect(findVersionChange(many)?.sentence).toBe(
    'v2 is worse than v1: b −30.0 points, c −20.0 points and 2 more groups.',
  )
})

test('a version that is worse for one group and better for another says both', () => {
  expect(findVersionChange([trend('a', 'better', 20), trend('b', 'worse', -30)])?.sentence).toBe(
    'v2 is worse than v1 for some groups and better for others: b −30.0 points; a +20.0 points.',
  )
})

test('nothing is said of changes that may be chance, and of a group that the newest version did not run', () => {
  expect(findVersionChange([trend('a', 'inconclusive', -10), trend('b', 'unknown', -50)])).toBeNull()
  expect(findVersionChange([trend('a', 'worse', -50), trend('b', 'same', 0, ['v2', 'v10'])])).toBeNull()
  expect(findVersionChange([])).toBeNull()
})

const cell = (group: string, name: string, failed: number) => ({
  ...noOutcomes,
  group,
  test: name,
  failed,
  passed: 8 - failed,
})

test('the tests that broke between two versions have their runs over the groups where they did, and none may be chance', () => {
  const cells = [
    ...['a', 'b'].flatMap((group) => [cell(`${group}~v1`, 'totals', 0), cell(`${group}~v2`, 'totals', 8)]),
    cell('a~v1', 'all fail', 8),
    cell('a~v2', 'all fail', 8),
    cell('a~v1', 'chance', 0),
    cell('a~v2', 'chance', 1),
    cell('a~v1', 'fixed', 8),
    cell('a~v2', 'fixed', 0),
    // A newer version, which is not of the pair, passes.
    cell('a~v3', 'totals', 0),
  ]
  expect(testsBrokenBetween(cells, { version: 'v2', since: 'v1' })).toEqual([
    { test: 'totals', groups: ['a', 'b'], failed: 16, runs: 16 },
  ])
  expect(testsBrokenBetween(cells, { version: 'v1', since: 'v2' })).toEqual([])
  expect(testsBrokenBetween(cells, { version: 'v3', since: 'v2' })).toEqual([])
})
