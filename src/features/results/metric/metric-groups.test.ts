import { expect, test } from 'vitest'

import type { MetricGroup } from '#contract/charts.ts'
import { boardOf, groupOf } from '#statistics/leaderboard/test-boards.ts'
import { type LeaderboardRow, toRows } from '#statistics/leaderboard/leaderboard-rows.ts'
import { costAxisOf, toCostMarks } from '#src/features/results/leaderboard/cost-marks.ts'
import { inColumn } from '#src/features/results/view/measures.ts'
import { ratesOf, toBoxGroups, toMetricRows } from './metric-groups.ts'
import { readMetricState, scaleOfValues } from './metric-parameters.ts'

const group = (name: string, median: number | null, rest: Partial<MetricGroup> = {}): MetricGroup => ({
  group: name,
  runs: 4,
  n: median === null ? 0 : 4,
  missing: median === null ? 4 : 0,
  mean: median,
  sd: null,
  min: median,
  q1: median,
  median,
  q3: median,
  max: median,
  lowerWhisker: median,
  upperWhisker: median,
  outliers: 0,
  ...rest,
})

const groups = [group('a', 3), group('b', null), group('c', 1), group('d', 2)]
const namesOf = (rows: readonly { group: string }[]) => rows.map((row) => row.group)

test('groups are sorted by value with the cheapest first, and those without a value come last', () => {
  expect(namesOf(toMetricRows(groups, null, { metric: 'costUsd', order: 'value' }))).toEqual(['c', 'd', 'a', 'b'])
  expect(namesOf(toMetricRows(groups, null, { metric: 'costUsd', order: 'name' }))).toEqual(['a', 'b', 'c', 'd'])
})

test('the median costs of groups have the decimals that tell them apart', () => {
  const cheap = toMetricRows([group('a', 0.0121), group('b', 0.0129)], null, { metric: 'costUsd', order: 'value' })
  expect(toBoxGroups(cheap, 'costUsd').map(({ value }) => value)).toEqual(['median $0.0121', 'median $0.0129'])
})

test('a group keeps its color however the groups are sorted, and has the same one among marks of cost', () => {
  const colorsBy = (order: 'value' | 'name') =>
    toBoxGroups(toMetricRows(groups, null, { metric: 'costUsd', order }), 'costUsd').map(
      ({ label, series }) => [label, series] as const,
    )
  const rows = ['c', 'd', 'a', 'b'].map(
    (label) => ({ group: label, label, counted: 4, solved: { share: 0.5 }, costPerSolved: 1 }) as LeaderboardRow,
  )
  const marks = toCostMarks(rows, costAxisOf(rows))
  expect(new Set(colorsBy('name').map(([, series]) => series)).size).toBe(4)
  expect(new Map(colorsBy('value'))).toEqual(new Map(colorsBy('name')))
  expect(marks.map(({ label, series }) => [label, series])).toEqual(colorsBy('value'))
})

test('a rate is drawn as a dot with the interval that the leaderboard shows, and the highest comes first', () => {
  const tallies = (solved: number) => Array.from({ length: 12 }, (_, prompt) => [solved + (prompt % 2), 5] as const)
  const board = boardOf(groupOf('low', tallies(1)), groupOf('high', tallies(3)))
  for (const { prompts } of board.groups)
    prompts.measured = {
      runs: prompts.runs,
      mean: prompts.solved.map((solved) => solved / 5),
      variance: prompts.solved.map((solved) => ((solved / 5) * (1 - solved / 5) * 5) / 4),
    }
  const rates = ratesOf(board, 'prompts like these', 'solved')
  const rows = toMetricRows([group('low', 0.3), group('high', 0.7)], rates, { metric: 'solved', order: 'value' })
  const [high] = toBoxGroups(rows, 'solved')
  expect(namesOf(rows)).toEqual(['high', 'low'])
  // The mean of 0.6 and 0.8 on twelve prompts.
  expect(high?.dot?.value).toBeCloseTo(0.7, 12)
  expect(high?.dot?.interval).toEqual(toRows(board, 'prompts like these')[0]?.solved.interval)
  expect(high?.value).toBe('70.0 %')
  expect(high?.words).toMatch(/^high 4 runs: 70 % solved, 95 % CI 5\d\.\d % to 8\d\.\d %$/)
})

test('a rate has one decimal in the chart and in the table', () => {
  const solved = group('a', 0.5875, { runs: 400, n: 400, mean: 0.5875 })
  const [drawn] = toBoxGroups(toMetricRows([solved], null, { metric: 'solved', order: 'value' }), 'solved')
  expect(drawn?.value).toBe('58.8 %')
  expect(inColumn('solved', 0.505)).toBe('50.5 %')
})

test('times and costs keep their boxes, with the median as the label of the row', () => {
  const [row] = toBoxGroups(
    toMetricRows([group('a', 90)], null, { metric: 'wallSeconds', order: 'value' }),
    'wallSeconds',
  )
  expect(row).toMatchObject({ value: 'median 1 m 30 s', extent: '4 runs' })
  expect(row?.dot).toBeUndefined()
})

test('values that span more than two decades choose a logarithmic scale, unless one of them is zero', () => {
  expect(scaleOfValues([group('a', 1, { max: 99 })])).toBe('linear')
  expect(scaleOfValues([group('a', 1), group('b', 50, { max: 101 })])).toBe('log')
  expect(scaleOfValues([group('a', 0), group('b', 500)])).toBe('linear')
  expect(scaleOfValues([group('a', null)])).toBe('linear')
})

test('the URL names the order and the scale, and unknown ones are ignored', () => {
  const read = (query: string) => readMetricState(new URLSearchParams(query))
  expect(read('')).toEqual({ order: 'value', scale: null })
  expect(read('order=name&scale=log')).toEqual({ order: 'name', scale: 'log' })
  expect(read('order=luck&scale=cubic')).toEqual({ order: 'value', scale: null })
})
