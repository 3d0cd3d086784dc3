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

test('versions are in order, and each is compared with the version before it that has runs of the group', () => {
  const summary = boardOf(
    version('a', 'v10', (prompt) => 4 + (prompt % 2)),
    version('a', 'v2', (prompt) => prompt % 2),
    version('a', 'v9', (prompt) => 1 - (prompt % 2)),
    version('b', 'v9', () => 2),
  )
  const [a, b] = toTrends(summary, 'prompts like these').toSorted((one, other) => (one.group < other.group ? -1 : 1))
  expect(a?.steps.map(({ version: name, change }) => [name, change?.since, change?.verdict])).toEqual([
    ['v2', undefined, undefined],
    ['v9', 'v2', 'inconclusive'],
    ['v10', 'v9', 'better'],
  ])
  expect(a?.steps[2]?.change?.difference).toBeCloseTo((4.5 - 0.5) / 5, 12)
  expect(b).toMatchObject({ label: 'b', steps: [{ version: 'v9', change: null }] })
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
