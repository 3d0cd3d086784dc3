import { expect, test } from 'vitest'

import type { HeatmapCell } from '#contract/charts.ts'
import { noOutcomes } from '#contract/outcomes.ts'
import { boardOf, groupOf } from './boards.ts'
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

test('a test regresses if every run passed it before and some run fails it in the newest version', () => {
  const cells = [
    cell('a~v1', 'steady', { failed: 3 }),
    cell('a~v2', 'steady', { passed: 3 }),
    cell('a~v10', 'steady', { passed: 3 }),
    cell('a~v2', 'breaks', { passed: 3, skipped: 1 }),
    cell('a~v10', 'breaks', { passed: 1, unresolved: 2 }),
    cell('a~v2', 'mended', { passed: 1, failed: 2 }),
    cell('a~v10', 'mended', { passed: 3 }),
    cell('a~v2', 'flaky', { passed: 1, failed: 2 }),
    cell('a~v10', 'flaky', { passed: 2, failed: 1 }),
    cell('a~v10', 'new', { failed: 3 }),
    cell('a~v2', 'skipped now', { passed: 3 }),
    cell('a~v10', 'skipped now', { skipped: 3 }),
    cell('b~v2', 'breaks', { passed: 3 }),
  ]
  expect(findFlips(cells)).toEqual([
    { group: 'a', test: 'breaks', kind: 'regression', version: 'v10', since: 'v2', failed: 2, counted: 3 },
    { group: 'a', test: 'mended', kind: 'fix', version: 'v10', since: 'v2', failed: 2, counted: 3 },
  ])
})
