import { expect, test } from 'vitest'

import type { Flip } from '#statistics/leaderboard/flips.ts'
import { brokenTests, findVersionChange } from './version-finding.ts'

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

const flip = (name: string, failed: number, more: Partial<Flip> = {}): Flip => ({
  group: 'a',
  test: name,
  kind: 'regression',
  version: 'v2',
  since: 'v1',
  now: { failed, counted: 3 },
  before: { failed: 0, counted: 3 },
  adjustedP: 0.01,
  isShown: true,
  ...more,
})

test('the tests that broke are listed with their runs over all groups, and none that may be chance', () => {
  const versions = { version: 'v2', since: 'v1' }
  expect(brokenTests([flip('totals', 3), flip('totals', 2, { group: 'b' })], versions)).toEqual([
    { test: 'totals', failed: 5, runs: 6 },
  ])
  expect(brokenTests([flip('x', 3, { isShown: false }), flip('y', 0, { kind: 'fix' })], versions)).toEqual([])
})
