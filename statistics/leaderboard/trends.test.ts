import { expect, test } from 'vitest'

import type { HeatmapCell } from '#contract/charts.ts'
import { noOutcomes } from '#contract/outcomes.ts'
import { benjaminiHochberg } from '#statistics/benjamini-hochberg.ts'
import { fisherExact } from '#statistics/fisher-exact.ts'
import { seededRandom } from '#statistics/seeded-random.ts'
import { boardOf, groupOf } from './test-boards.ts'
import { findFlips } from './flips.ts'
import { toTrends } from './trends.ts'

const prompts = Array.from({ length: 12 }, (_, prompt) => prompt)
const version = (agent: string, name: string, solved: (prompt: number) => number) => ({
  ...groupOf(
    `${agent}~${name}`,
    prompts.map((prompt) => [solved(prompt), 5] as const),
  ),
  values: [agent, name],
})

test('a version whose prompts are all as before has not changed', () => {
  const summary = boardOf(
    version('a', 'v1', () => 5),
    version('a', 'v2', () => 5),
  )
  expect(toTrends(summary, 'these prompts')[0]?.steps[1]?.change?.verdict).toBe('same')
})

test('versions are in order, and each is compared with the version before it that has runs of the group', () => {
  const summary = boardOf(
    version('a', 'v10', (prompt) => 4 + (prompt % 2)),
    version('a', 'v2', (prompt) => prompt % 2),
    version('a', 'v9', (prompt) => 1 - (prompt % 2)),
    version('b', 'v9', () => 2),
  )
  const [a, b] = toTrends(summary, 'prompts like these').toSorted((one, other) => (one.group < other.group ? -1 : 1))
  expect(a?.steps.map(({ at, change }) => [at, change?.since, change?.verdict])).toEqual([
    ['v2', undefined, undefined],
    ['v9', 'v2', 'inconclusive'],
    ['v10', 'v9', 'better'],
  ])
  expect(a?.steps[2]?.change?.difference).toBeCloseTo((4.5 - 0.5) / 5, 12)
  expect(b).toMatchObject({ label: 'b', steps: [{ at: 'v9', change: null }] })
})

/** A step whose runs cost as much on each prompt, with a variance of 0.01 there. */
const costing = (name: string, costs: readonly number[], runs = 5) => {
  const step = version('a', name, () => 1)
  const mean = [...costs]
  return {
    ...step,
    prompts: { ...step.prompts, measured: { runs: mean.map(() => runs), mean, variance: mean.map(() => 0.01) } },
  }
}

test('the change of a cost has the interval of a paired t over prompts, and cheaper is better', () => {
  const before = prompts.map((prompt) => 1 + (prompt % 3) / 10)
  const after = before.map((cost, prompt) => cost - 0.2 - (prompt % 2) / 10)
  const board = boardOf(costing('v1', before), costing('v2', after))
  const [trend] = toTrends(board, 'prompts like these', 'costUsd')
  const [first, second] = trend?.steps ?? []
  expect(first).toMatchObject({ at: 'v1', runs: 60, change: null })
  expect(first?.value).toBeCloseTo(1.1, 12)
  // Differences of 0.2 and 0.3 in turn: a standard deviation of 0.05 · √(12 / 11), and t(0.975, 11) = 2.20098516.
  const reach = (2.200985160082949 * 0.05 * Math.sqrt(12 / 11)) / Math.sqrt(12)
  expect(second?.change).toMatchObject({ since: 'v1', verdict: 'better' })
  expect(second?.change?.difference).toBeCloseTo(-0.25, 12)
  expect(second?.change?.interval?.low).toBeCloseTo(-0.25 - reach, 9)
  expect(second?.change?.interval?.high).toBeCloseTo(-0.25 + reach, 9)
})

test('for these prompts only, the change of a cost counts the spread of runs, or that of prompts with a single run', () => {
  const board = (runs: number) =>
    boardOf(
      costing(
        'v1',
        prompts.map(() => 1),
        runs,
      ),
      costing(
        'v2',
        prompts.map((prompt) => 1.2 + prompt / 100),
        runs,
      ),
    )
  const changeOf = (summary: ReturnType<typeof boardOf>) =>
    toTrends(summary, 'these prompts', 'costUsd')[0]?.steps[1]?.change
  const change = changeOf(board(5))
  // 24 samples of five runs with a variance of 0.01: a standard error of √(24 · 0.01 / 5) ÷ 12, and t(0.975, 96).
  const reach = 1.984984312 * (Math.sqrt((24 * 0.01) / 5) / 12)
  expect(change).toMatchObject({ verdict: 'worse' })
  expect(change?.difference).toBeCloseTo(0.255, 12)
  expect(change?.interval?.high).toBeCloseTo(0.255 + reach, 6)
  const single = board(1)
  for (const { prompts: tallies } of single.groups)
    if (tallies.measured) tallies.measured.variance = prompts.map(() => null)
  // Differences from 0.2 to 0.31 in steps of 0.01: a standard deviation of 0.01 · √13, and t(0.975, 11).
  expect(changeOf(single)?.interval?.high).toBeCloseTo(
    0.255 + (2.200985160082949 * 0.01 * Math.sqrt(13)) / Math.sqrt(12),
    9,
  )
})

test('days are in order, and each is compared with the last day that has runs of the group', () => {
  const summary = boardOf(
    version('a', '2026-11-03', () => 4),
    version('a', '2026-10-31', () => 1),
  )
  const [trend] = toTrends(summary, 'prompts like these')
  expect(trend?.steps.map(({ at, change }) => [at, change?.since])).toEqual([
    ['2026-10-31', undefined],
    ['2026-11-03', '2026-10-31'],
  ])
})

const cell = (group: string, name: string, counts: Partial<HeatmapCell>): HeatmapCell => ({
  ...noOutcomes,
  ...counts,
  group,
  test: name,
})

const cellsOf = (name: string, before: Partial<HeatmapCell>, now: Partial<HeatmapCell>) => [
  cell('a~v2', name, before),
  cell('a~v10', name, now),
]
const summaries = (cells: readonly HeatmapCell[]) =>
  findFlips(cells).map(({ test: name, kind, isShown, before, now }) => ({ name, kind, isShown, before, now }))

test('a test that failed in no run before and fails now is listed, and said to be chance if few runs changed', () => {
  const cells = [
    ...cellsOf('steady', { passed: 3 }, { passed: 3 }),
    cell('a~v1', 'steady', { failed: 3 }),
    ...cellsOf('breaks', { passed: 3, skipped: 1 }, { passed: 1, unresolved: 2 }),
    ...cellsOf('mended', { passed: 1, failed: 2 }, { passed: 3 }),
    ...cellsOf('flaky', { passed: 1, failed: 2 }, { passed: 2, failed: 1 }),
    cell('a~v10', 'new', { failed: 3 }),
    ...cellsOf('skipped now', { passed: 3 }, { skipped: 3 }),
    cell('b~v2', 'breaks', { passed: 3 }),
  ]
  const rest = { isShown: false }
  expect(summaries(cells)).toEqual([
    {
      ...rest,
      name: 'breaks',
      kind: 'regression',
      before: { failed: 0, counted: 3 },
      now: { failed: 2, counted: 3 },
    },
    { ...rest, name: 'mended', kind: 'fix', before: { failed: 2, counted: 3 }, now: { failed: 0, counted: 3 } },
  ])
})

test('a test that fails clearly more or less often than before is shown, even if it failed before', () => {
  const cells = [
    ...cellsOf('worse', { passed: 29, failed: 1 }, { passed: 14, failed: 16 }),
    ...cellsOf('mended', { passed: 5, failed: 25 }, { passed: 30 }),
    ...cellsOf('as before', { passed: 20, failed: 10 }, { passed: 19, failed: 11 }),
  ]
  expect(summaries(cells)).toEqual([
    expect.objectContaining({ name: 'worse', kind: 'regression', isShown: true }),
    expect.objectContaining({ name: 'mended', kind: 'fix', isShown: true }),
  ])
})

test('of an agent that has not changed, hardly any list of tests has one that is shown to be a regression', () => {
  const random = seededRandom(7)
  const trials = 200
  let falseLists = 0
  for (let trial = 0; trial < trials; trial += 1) {
    const draw = (rate: number): Partial<HeatmapCell> => {
      const passed = Array.from({ length: 5 }, random).filter((one) => one < rate).length
      return { passed, failed: 5 - passed }
    }
    const cells = Array.from({ length: 60 }, (_, place) => cellsOf(`test ${place}`, draw(0.9), draw(0.9))).flat()
    if (findFlips(cells).some(({ isShown }) => isShown)) falseLists += 1
  }
  expect(falseLists / trials).toBeLessThan(0.05)
})

test.each([
  [3, 4, 1, 4, 0.4857142857142857],
  [0, 20, 9, 20, 0.0012285012285012285],
  [0, 3, 3, 3, 0.1],
  [1, 30, 10, 30, 0.005579091919870973],
  [0, 1, 1, 1, 1],
  [12, 400, 35, 380, 0.0002587867537935137],
  [5, 5, 5, 5, 1],
])(
  'Fisher’s exact test of %i of %i against %i of %i agrees with exact integers',
  (of, runs, ofOther, others, expected) => {
    expect(fisherExact({ of, runs }, { of: ofOther, runs: others })).toBeCloseTo(expected, 8)
  },
)

test('the correction by Benjamini and Hochberg agrees with its definition', () => {
  const corrected = benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.6])
  for (const [place, expected] of [0.025, 0.05, 0.05, 0.025, 0.6].entries())
    expect(corrected[place]).toBeCloseTo(expected, 12)
})

test('the more steps there are, the clearer a change must be to be called one', () => {
  const better = (prompt: number) => (prompt < 4 ? 4 : prompt % 3)
  const before = (prompt: number) => prompt % 3
  const pair = [version('a', 'v1', before), version('a', 'v2', better)]
  const verdicts = (...more: typeof pair) =>
    toTrends(boardOf(...pair, ...more), 'prompts like these')[0]?.steps.map(({ change }) => change?.verdict)
  expect(verdicts()).toEqual([undefined, 'better'])
  const alike = Array.from({ length: 20 }, (_, place) =>
    version('a', `v${place + 3}`, (prompt) => Math.max(0, better(prompt) - ((prompt + place) % 2))),
  )
  expect(verdicts(...alike)?.[1]).toBe('inconclusive')
})
