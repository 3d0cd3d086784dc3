import { axisOfFilter, chartFilters, readGroup } from '#contract/chart-columns.ts'
import { type ChartParameters, HeatmapParameters, type HeatmapCell } from '#contract/charts.ts'
import { axesOfGrouping } from '#contract/grouping-axes.ts'
import { countedTests, passRate } from '#contract/outcomes.ts'
import type { PairNames, Question } from './compare-pairs.ts'

/** The tests chart of one side, and its group for a task. Both sides of two groups share one chart. */
export type SideTests = { parameters: HeatmapParameters; groupOf: (task: string) => string }

/** Where the tests of a side's tasks are counted: in one chart for all tasks, so that no task needs its own request. */
export function testsOfSide(
  parameters: ChartParameters,
  { compared }: Pick<Question, 'compared'>,
  names: PairNames,
  side: keyof PairNames,
): SideTests {
  if (compared === 'version') {
    const ofVersion = HeatmapParameters.parse({ ...parameters, version: names[side], groupBy: 'prompt' })
    return { parameters: ofVersion, groupOf: (task) => task }
  }
  const groups = [readGroup(compared, names.left), readGroup(compared, names.right)]
  const axes = axesOfGrouping(compared)
  const filters = chartFilters
    .filter((filter) => axes.includes(axisOfFilter[filter]))
    .map((filter) => [filter, [...new Set(groups.map((group) => group[axisOfFilter[filter]] ?? ''))]])
  return {
    parameters: HeatmapParameters.parse({
      ...parameters,
      ...Object.fromEntries(filters),
      groupBy: `${compared}~prompt`,
    }),
    groupOf: (task) => `${names[side]}~${task}`,
  }
}

type Share = { passed: number; counted: number }

/** A test of a task that one side passes more often than the other. */
export type DifferingTest = { test: string; leader: Share; other: Share }

/**
 * The tests that explain a task's difference, the largest first: those that the side with more solved runs passes more
 * often. For a tie, every test that differs.
 */
export function differingTests(
  leader: readonly HeatmapCell[],
  other: readonly HeatmapCell[],
  difference: number,
): DifferingTest[] {
  const ofOther = new Map(other.map((cell) => [cell.test, cell]))
  return leader
    .flatMap((cell) => {
      const beside = ofOther.get(cell.test)
      const [rate, otherRate] = [passRate(cell), beside ? passRate(beside) : null]
      if (!beside || rate === null || otherRate === null) return []
      const by = difference === 0 ? Math.abs(rate - otherRate) : (rate - otherRate) * Math.sign(difference)
      return by > 0 ? [{ by, test: { test: cell.test, leader: shareOf(cell), other: shareOf(beside) } }] : []
    })
    .toSorted((a, b) => b.by - a.by)
    .map(({ test }) => test)
}

const shareOf = (cell: HeatmapCell): Share => ({ passed: cell.passed, counted: countedTests(cell) })
