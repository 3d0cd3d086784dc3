import { type Comparison, compareGroups } from './compare-groups.ts'
import type { Observation } from './match-cells.ts'
import { meanOf } from './moments.ts'
import type { Scope } from './scope.ts'

export type Random = () => number

export const sampleNormal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/**
 * The tests of a run are correlated: each run has its own strength, which affects all of its 20 tests. With
 * `togetherness` 0 tests are independent; from 3 up most runs pass nearly all or nearly none.
 */
export function runOfTests(random: Random, { ease, togetherness }: { ease: number; togetherness: number }) {
  const chance = 1 / (1 + Math.exp(-(ease + togetherness * sampleNormal(random))))
  return Array.from({ length: 20 }, () => Number(random() < chance))
}

export type Scenario = {
  title: string
  cells: number
  runs: [left: number, right: number]
  /** A run's value in a cell; `isLeft` is for worlds whose groups have the same mean and different spreads. */
  draw: (random: Random, cell: number, isLeft: boolean) => number
}

export const passRates = (togetherness: number) => (random: Random, cell: number) =>
  meanOf(runOfTests(random, { ease: (cell % 4) - 1, togetherness }))

const allOrNothing = (random: Random, cell: number) => Number(random() < ([0.5, 0.9, 0.2, 0.97][cell % 4] ?? 0))

export const scenarios: Scenario[] = [
  { title: 'pass rates, 4 cells × 3', cells: 4, runs: [3, 3], draw: passRates(1) },
  { title: 'pass rates, 4 cells × 5', cells: 4, runs: [5, 5], draw: passRates(1) },
  { title: 'pass rates, one cell × 5', cells: 1, runs: [5, 5], draw: passRates(1) },
  { title: 'pass rates, one cell × 24', cells: 1, runs: [24, 24], draw: passRates(1) },
  { title: 'nearly 0 or 1, 4 cells × 3', cells: 4, runs: [3, 3], draw: passRates(4) },
  { title: 'nearly 0 or 1, 4 cells × 5', cells: 4, runs: [5, 5], draw: passRates(4) },
  { title: '0 or 1, 4 cells × 3', cells: 4, runs: [3, 3], draw: allOrNothing },
  { title: '0 or 1, 4 cells × 5', cells: 4, runs: [5, 5], draw: allOrNothing },
  { title: '0 or 1, 8 cells × 4', cells: 8, runs: [4, 4], draw: allOrNothing },
  { title: '0 or 1, one cell × 10', cells: 1, runs: [10, 10], draw: allOrNothing },
  {
    title: 'skewed costs, 4 cells × 4',
    cells: 4,
    runs: [4, 4],
    draw: (random) => Math.exp(0.8 * sampleNormal(random)),
  },
  { title: 'single runs, 12 cells', cells: 12, runs: [1, 1], draw: passRates(2) },
  { title: 'pairs of runs, 20 cells', cells: 20, runs: [2, 2], draw: passRates(2) },
  { title: 'unequal numbers, 4 cells × 3 and 12', cells: 4, runs: [3, 12], draw: passRates(2) },
  {
    title: 'unequal spread, 4 cells × 5',
    cells: 4,
    runs: [5, 5],
    draw: (random, _cell, isLeft) => (isLeft ? 4 : 1) * sampleNormal(random),
  },
  {
    title: 'unequal spread and numbers, 2 cells × 4 and 12',
    cells: 2,
    runs: [4, 12],
    draw: (random, _cell, isLeft) => (isLeft ? 4 : 1) * sampleNormal(random),
  },
]

export function simulateComparison(random: Random, { cells, runs, draw }: Scenario, shift = 0): Comparison {
  const group = (isLeft: boolean) =>
    Array.from({ length: cells }, (_, cell) =>
      Array.from({ length: runs[isLeft ? 0 : 1] }, () => ({
        cell: String(cell),
        value: draw(random, cell, isLeft) + (isLeft ? shift : 0),
      })),
    ).flat()
  return compareGroups(group(true), group(false))
}

/**
 * The groups are equal on average over all prompts but not on each: what one gains on a prompt, it loses on another.
 */
export type PromptScenario = {
  title: string
  prompts: number
  runs: readonly number[]
  /** How strongly single prompts favor one group. */
  lean: number
  togetherness?: number
  isCost?: boolean
  environments?: number
}

export const promptScenarios: PromptScenario[] = [
  { title: '10 prompts × 5, solved or not', prompts: 10, runs: [5], lean: 1 },
  { title: '40 prompts × 5, solved or not', prompts: 40, runs: [5], lean: 1 },
  { title: '80 prompts × 5, solved or not', prompts: 80, runs: [5], lean: 1 },
  { title: '8 prompts × 1, solved or not', prompts: 8, runs: [1], lean: 1 },
  { title: '6 prompts × 3, pass rates', prompts: 6, runs: [3], lean: 1, togetherness: 2 },
  { title: '12 prompts × 1 to 5, pass rates', prompts: 12, runs: [1, 5, 2], lean: 1, togetherness: 2 },
  { title: '10 prompts × 2 in 2 environments', prompts: 10, runs: [2], lean: 1, togetherness: 2, environments: 2 },
  { title: '10 prompts × 4, skewed costs', prompts: 10, runs: [4], lean: 0.5, isCost: true },
  { title: '20 prompts × 5, the same on every prompt', prompts: 20, runs: [5], lean: 0 },
]

/** One experiment with randomly drawn prompts. */
export function simulateOverPrompts(random: Random, scenario: PromptScenario, scope: Scope, shift = 0): Comparison {
  const { prompts, runs, lean, togetherness, isCost = false, environments = 1 } = scenario
  const [left, right]: [Observation[], Observation[]] = [[], []]
  for (let place = 0; place < prompts; place += 1) {
    const [ease, side] = [1.5 * sampleNormal(random), lean * sampleNormal(random)]
    const draw = (level: number) => {
      if (isCost) return Math.exp(level + 0.8 * sampleNormal(random))
      if (togetherness !== undefined) return meanOf(runOfTests(random, { ease: level, togetherness }))
      return Number(random() < 1 / (1 + Math.exp(-level)))
    }
    for (let environment = 0; environment < environments; environment += 1) {
      const cell = `${place} ${environment}`
      const add = (group: Observation[], level: number, size: number) => {
        for (let run = 0; run < size; run += 1) group.push({ cell, prompt: String(place), value: draw(level) })
      }
      add(left, ease + side + shift, runs[place % runs.length] ?? 1)
      add(right, ease - side, runs[(place + 1) % runs.length] ?? 1)
    }
  }
  return compareGroups(left, right, { scope })
}
