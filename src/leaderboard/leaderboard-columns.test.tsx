import { expect, test } from 'vitest'

import { boardOf, groupOf, steady } from '#statistics/leaderboard/boards.ts'
import { toRows } from '#statistics/leaderboard/leaderboard-rows.ts'
import { toCsv } from '#src/ui/table/csv.ts'
import { leastWidths } from '#src/ui/table/column.ts'
import { leaderboardColumns } from './leaderboard-columns.tsx'

const scope = 'prompts like these'
const rows = toRows(
  boardOf(
    steady('good', 4),
    groupOf('bad', [
      [1, 5],
      [0, 5],
      [2, 5],
    ]),
  ),
  scope,
)

test('the CSV of a leaderboard has the range of the rank and both ends of every interval', () => {
  const [header = '', first = ''] = toCsv(leaderboardColumns(rows, { scope, baseline: null }), rows).split('\r\n')
  expect(header).toMatch(
    /^Group,Rank,Rank from,Rank to,Solved,"Solved, 95 % CI low","Solved, 95 % CI high",Test pass rate,"Test pass rate, 95 % CI low"/,
  )
  expect(first).toMatch(/^good,1,1,\d,0\.79,0\.\d+,0\.\d+,/)
})

test('the CSV has the difference to the baseline, its interval and its corrected p-value', () => {
  const csv = toCsv(leaderboardColumns(rows, { scope, baseline: rows[0] ?? null }), rows)
  expect(csv.split('\r\n')[0]).toContain(
    'Solved vs. baseline,"Solved vs. baseline, 95 % CI low","Solved vs. baseline, 95 % CI high","Solved vs. baseline, corrected p"',
  )
})

test('a table leaves room for the name of each group, whichever columns are chosen', () => {
  const all = leaderboardColumns(rows, { scope, baseline: null })
  expect(leastWidths(all).always).toMatch(/^calc\(160px \+ clamp\(140px, 42cqw, 240px\) \+ 88px/)
  expect(leastWidths(all.slice(0, 1))).toEqual({ always: 'calc(160px)', sm: '0px', md: '0px', lg: '0px' })
})
