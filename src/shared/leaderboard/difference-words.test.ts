import { expect, test } from 'vitest'

import { boardOf, groupOf, steady } from '#statistics/leaderboard/test-boards.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { differenceWords } from './difference-words.ts'

test('every other group has its difference to the baseline, its interval, and whether it is more than chance', () => {
  const spread = groupOf(
    'spread',
    Array.from({ length: 20 }, (_, prompt) => [prompt % 2, 5] as const),
  )
  const nearby = groupOf(
    'nearby',
    Array.from({ length: 20 }, (_, prompt) => [(prompt + 1) % 2, 5] as const),
  )
  const { relation } = toBoard(boardOf(steady('base', 4), spread, nearby), null)
  const wordsTo = (group: string, baseline: string) => differenceWords(relation.between(group, baseline), relation)
  expect(wordsTo('spread', 'base').amount).toMatch(/^−\d+\.\d points, −\d+\.\d to −\d+\.\d$/)
  expect(wordsTo('base', 'spread').amount).toMatch(/^\+\d+\.\d points, \+\d+\.\d to \+\d+\.\d$/)
  expect(wordsTo('spread', 'base').chance).toBe('more than chance, corrected p <0.001')
  expect(wordsTo('nearby', 'spread').chance).toBe('may be chance, corrected p 1.000')
})

test('a difference without an interval says so, and groups without a common prompt have none', () => {
  const difference = { difference: 0.5, interval: null, bound: null, adjustedP: null }
  const two = { groups: 2, isTooMany: false }
  expect(differenceWords(difference, two)).toEqual({
    amount: '+50.0 points, no interval',
    chance: 'too few runs to tell',
  })
  expect(differenceWords({ ...difference, difference: null }, two)).toEqual({
    amount: 'No prompt in common',
    chance: '',
  })
  expect(differenceWords(difference, { groups: 61, isTooMany: true }).chance).toBe('61 groups are too many to tell')
})
