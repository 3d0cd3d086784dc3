import { expect, test } from 'vitest'

import { boardOf, groupOf, steady } from '#statistics/leaderboard/boards.ts'
import { toRows } from '#statistics/leaderboard/leaderboard-rows.ts'
import { differencesTo, differenceWords } from './baseline.ts'

const scope = 'prompts like these'

test('every other group has its difference to the baseline, its interval, and whether it is more than chance', () => {
  const spread = groupOf(
    'spread',
    Array.from({ length: 20 }, (_, prompt) => [prompt % 2, 5] as const),
  )
  const nearby = groupOf(
    'nearby',
    Array.from({ length: 20 }, (_, prompt) => [(prompt + 1) % 2, 5] as const),
  )
  const rows = toRows(boardOf(steady('base', 4), spread, nearby), scope)
  const wordsTo = (baseline: string) => {
    const base = rows.find(({ group }) => group === baseline)
    if (!base) throw new Error(`no group ${baseline}`)
    return new Map([...differencesTo(base, rows, scope)].map(([group, found]) => [group, differenceWords(found)]))
  }
  const toBase = wordsTo('base')
  expect([...toBase.keys()].toSorted()).toEqual(['nearby', 'spread'])
  expect(toBase.get('spread')?.amount).toMatch(/^−\d+\.\d points, −\d+\.\d to −\d+\.\d$/)
  expect(toBase.get('spread')?.chance).toBe('more than chance')
  expect(wordsTo('spread').get('nearby')?.chance).toBe('may be chance')
})

test('a difference without an interval says so, and groups without a common prompt have none', () => {
  const difference = { difference: 0.5, interval: null, pValue: null, correctedP: null, comparisons: 1 }
  expect(differenceWords(difference)).toEqual({
    amount: '+50.0 points, no interval',
    chance: 'too few runs to tell',
  })
  expect(differenceWords({ ...difference, difference: null })).toEqual({ amount: 'No prompt in common', chance: '' })
})
