import { expect, test } from 'vitest'

import { readLeaderboardState } from './leaderboard-parameters.ts'
import { ownColumns, readColumns, writeColumns } from './url-columns.ts'

test('chosen columns survive the way into a URL and back', () => {
  const chosen = { passAt5: true, p50: false, passTo5: true }
  expect(writeColumns(chosen)).toBe('passAt5,-p50,passTo5')
  expect(readColumns(writeColumns(chosen))).toEqual(chosen)
  expect(readColumns('')).toEqual({})
  expect(readColumns(',-,p90')).toEqual({ p90: true })
})

test('the order of a heatmap in an older link changes neither the order nor the columns of a leaderboard', () => {
  const sortOf = (query: string) => readLeaderboardState(new URLSearchParams(query)).sort
  expect(['sort=failures', 'sort=name', 'sort=difference', ''].map(sortOf)).toEqual(Array(4).fill('rank'))
  expect(['sort=-cost', 'sort=difference&baseline=x'].map(sortOf)).toEqual(['-cost', 'difference'])
  expect(['name', 'rate', 'runs'].map(ownColumns)).toEqual(['', '', ''])
  expect(['-runs', 'runs,p90', ''].map(ownColumns)).toEqual(['-runs', 'runs,p90', ''])
})
