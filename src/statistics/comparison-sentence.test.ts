import { expect, test } from 'vitest'

import { compareGroups } from './compare-groups.ts'
import { comparisonSentence } from './comparison-sentence.ts'

const words = {
  verb: 'passes',
  amount: (value: number) => `${Math.round(value * 100)} points`,
  bare: (value: number) => String(Math.round(value * 100)),
  more: 'more often',
  less: 'less often',
}
const names = { left: 'careful', right: 'hasty', words }
const runs = (cell: string, ...values: (number | null)[]) => values.map((value) => ({ cell, value }))
const say = (left: ReturnType<typeof runs>, right: ReturnType<typeof runs>) =>
  comparisonSentence(compareGroups(left, right, { largest: 1 }), names)

const low = runs('a', 0.5, 0.52, 0.48, 0.5, 0.51, 0.49)
const high = runs('a', 0.7, 0.72, 0.68, 0.7, 0.71, 0.69)

test('a difference is said with its interval and its denominators', () => {
  expect(say(high, low)).toMatch(
    /^careful passes 20 points more often than hasty \(95 % interval 18 to 22\), 6 and 6 runs in 1 matched cell\.$/,
  )
  expect(say(low, high)).toContain('careful passes 20 points less often than hasty (95 % interval 18 to 22)')
})

test('what is unresolved says how far either way it may be', () => {
  expect(say(runs('a', 0, 1, 0, 1, 1), runs('a', 0, 1, 0, 1, 0))).toMatch(
    /^Unresolved: careful passes between \d+ points less often and \d+ points more often than hasty \(95 % interval; seen: 20 points more often\), 5 and 5 runs/,
  )
})

test('without an interval it says why', () => {
  expect(say(runs('a', 1, 1), runs('a', 0, 0))).toBe(
    'Too few runs to tell careful from hasty (seen: 100 points more often, 2 and 2 runs in 1 matched cell).',
  )
  expect(say(runs('a', 1, 1, 1, 1), runs('a', 1, 1, 1, 1))).toContain(
    'every run of careful and hasty came out the same',
  )
  expect(say(runs('a', 1, 1, 1, 1), runs('a', 0, 0, 0, 0))).toContain(
    'careful passes 100 points more often than hasty (runs of one cell never varied, so there is no interval)',
  )
  expect(say(runs('a', 1), runs('b', 1))).toBe(
    'careful and hasty have no matched cell: they never ran under the same other axes.',
  )
  expect(say(runs('a', null), runs('a', 1))).toBe('No run of careful has a value to compare.')
  expect(say(runs('a', 1), runs('a', 1, 0))).toContain('Too few runs: a single cell matches')
})
