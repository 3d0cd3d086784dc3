import { expect, test } from 'vitest'

import { type Comparison, compareGroups } from './compare-groups.ts'
import { ellipseOfMean } from './covariance-ellipse.ts'
import { moreRepeats } from './more-repeats.ts'
import { meanOf, varianceOf } from './moments.ts'
import { seededRandom } from './seeded-random.ts'
import { tailOfT } from './student.ts'

type Random = () => number

const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/**
 * A run's tests stand and fall together: each run has a strength of its own, and 20 tests pass as that allows. With
 * `togetherness` 0 tests are independent; at 3 and more most runs pass nearly all or nearly none.
 */
function runOfTests(random: Random, { ease, togetherness }: { ease: number; togetherness: number }) {
  const chance = 1 / (1 + Math.exp(-(ease + togetherness * normal(random))))
  return Array.from({ length: 20 }, () => Number(random() < chance))
}

type World = {
  title: string
  cells: number
  runs: [left: number, right: number]
  /** A run's value in a cell; `isLeft` for worlds whose groups vary differently around one mean. */
  draw: (random: Random, cell: number, isLeft: boolean) => number
}

const passRates = (togetherness: number) => (random: Random, cell: number) =>
  meanOf(runOfTests(random, { ease: (cell % 4) - 1, togetherness }))

const allOrNothing = (random: Random, cell: number) => Number(random() < ([0.5, 0.9, 0.2, 0.97][cell % 4] ?? 0))

const worlds: World[] = [
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
  { title: 'skewed costs, 4 cells × 4', cells: 4, runs: [4, 4], draw: (random) => Math.exp(0.8 * normal(random)) },
  { title: 'single runs, 12 cells', cells: 12, runs: [1, 1], draw: passRates(2) },
  { title: 'pairs of runs, 20 cells', cells: 20, runs: [2, 2], draw: passRates(2) },
  { title: 'unequal numbers, 4 cells × 3 and 12', cells: 4, runs: [3, 12], draw: passRates(2) },
  {
    title: 'unequal spread, 4 cells × 5',
    cells: 4,
    runs: [5, 5],
    draw: (random, _cell, isLeft) => (isLeft ? 4 : 1) * normal(random),
  },
  {
    title: 'unequal spread and numbers, 2 cells × 4 and 12',
    cells: 2,
    runs: [4, 12],
    draw: (random, _cell, isLeft) => (isLeft ? 4 : 1) * normal(random),
  },
]

function experiment(random: Random, { cells, runs, draw }: World, shift = 0): Comparison {
  const group = (isLeft: boolean) =>
    Array.from({ length: cells }, (_, cell) =>
      Array.from({ length: runs[isLeft ? 0 : 1] }, () => ({
        cell: String(cell),
        value: draw(random, cell, isLeft) + (isLeft ? shift : 0),
      })),
    ).flat()
  return compareGroups(group(true), group(false), { seed: Math.floor(random() * 2 ** 31), draws: 399 })
}

const shareOf = (trials: number, isHit: () => boolean) =>
  Array.from({ length: trials }, isHit).filter(Boolean).length / trials

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

const isResolved = ({ verdict }: Comparison) => verdict === 'differs'

test('equal groups are called different in at most 7 of 100 experiments, however few or skewed their runs', () => {
  const rates = worlds.map((world) => {
    const random = seededRandom(11)
    return { world, rate: shareOf(800, () => isResolved(experiment(random, world))) }
  })
  for (const { world, rate } of rates) console.info(`false alarms, ${world.title}: ${percent(rate)}`)
  for (const { world, rate } of rates) expect(rate, world.title).toBeLessThanOrEqual(0.07)
}, 60_000)

test('a true difference is found more often when runs are paired by cell', () => {
  const random = seededRandom(12)
  const world: World = { title: '', cells: 6, runs: [4, 4], draw: passRates(1) }
  // Cells differ in ease; unpaired, that passes for spread of the runs.
  const unpaired: World = {
    ...world,
    cells: 1,
    runs: [24, 24],
    draw: (random, _cell) => passRates(1)(random, Math.floor(random() * 4)),
  }
  const paired = shareOf(500, () => isResolved(experiment(random, world, 0.12)))
  const alone = shareOf(500, () => isResolved(experiment(random, unpaired, 0.12)))
  console.info(`power for 12 points, 24 and 24 runs: paired ${percent(paired)}, unpaired ${percent(alone)}`)
  expect(paired).toBeGreaterThan(alone + 0.1)
})

test('pooling the tests of runs would call a quarter of equal groups different', () => {
  const random = seededRandom(13)
  const pooledIsResolved = () => {
    const group = () => Array.from({ length: 12 }, () => runOfTests(random, { ease: 0, togetherness: 0.75 })).flat()
    const [left, right] = [group(), group()]
    const standardError = Math.sqrt(varianceOf(left) / left.length + varianceOf(right) / right.length)
    return tailOfT((meanOf(left) - meanOf(right)) / standardError, left.length + right.length - 2) < 0.05
  }
  const rate = shareOf(1000, pooledIsResolved)
  const world: World = {
    title: '',
    cells: 1,
    runs: [12, 12],
    draw: (random) => meanOf(runOfTests(random, { ease: 0, togetherness: 0.75 })),
  }
  const ours = shareOf(1000, () => isResolved(experiment(random, world)))
  console.info(`false alarms of equal groups: tests pooled ${percent(rate)}, runs compared ${percent(ours)}`)
  expect(rate).toBeGreaterThan(0.2)
  expect(ours).toBeLessThanOrEqual(0.07)
})

test('the interval holds the true difference about as often as it says', () => {
  const random = seededRandom(14)
  const world: World = { title: '', cells: 4, runs: [5, 5], draw: passRates(1) }
  const holds = shareOf(1000, () => {
    const { interval } = experiment(random, world, 0.2)
    return interval !== null && interval.low <= 0.2 && interval.high >= 0.2
  })
  console.info(`95 % intervals that hold the truth: ${percent(holds)}`)
  expect(holds).toBeGreaterThanOrEqual(0.93)
})

test('as many more repeats as it says resolve a difference in about 80 of 100 experiments', () => {
  const random = seededRandom(15)
  const draw = (isLeft: boolean) => normal(random) + (isLeft ? 0.6 : 0)
  // Runs of exactly this mean and spread, so that what is planned from is what is drawn from.
  const group = (shift: number) =>
    [-1.5, -0.5, 0.5, 1.5].map((value) => ({ cell: '', value: value * Math.sqrt(3 / 5) + shift }))
  const more = moreRepeats(compareGroups(group(0.6), group(0)))
  const repeats = more.kind === 'repeats' ? more.repeats : 0
  const world: World = {
    title: '',
    cells: 1,
    runs: [4 + repeats, 4 + repeats],
    draw: (_random, _cell, isLeft) => draw(isLeft),
  }
  const found = shareOf(600, () => isResolved(experiment(random, world)))
  console.info(`${repeats} more repeats resolve 0.6 standard deviations in ${percent(found)} of experiments`)
  expect(found).toBeGreaterThan(0.74)
  expect(found).toBeLessThan(0.86)
})

test('the ellipse of the mean holds the true mean in about 95 of 100 samples', () => {
  const random = seededRandom(16)
  const holds = shareOf(10_000, () => {
    const points = Array.from({ length: 8 }, () => {
      const shared = normal(random)
      return { x: shared + normal(random), y: shared + normal(random) }
    })
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
    const mean = { x: meanOf(xs), y: meanOf(ys) }
    const covariance = points.reduce((sum, { x, y }) => sum + (x - mean.x) * (y - mean.y), 0) / (points.length - 1)
    const spread = { n: 8, mean, varianceX: varianceOf(xs), varianceY: varianceOf(ys), covariance }
    const ellipse = ellipseOfMean(spread)
    if (!ellipse) return false
    const { angle, halfAxes } = ellipse
    const along = -mean.x * Math.cos(angle) - mean.y * Math.sin(angle)
    const across = mean.x * Math.sin(angle) - mean.y * Math.cos(angle)
    return (along / halfAxes[0]) ** 2 + (across / halfAxes[1]) ** 2 <= 1
  })
  console.info(`95 % ellipses that hold the true mean: ${percent(holds)}`)
  expect(holds).toBeGreaterThan(0.93)
  expect(holds).toBeLessThan(0.97)
})

test('two groups of 500 runs are compared within a frame or three', () => {
  const random = seededRandom(17)
  const world: World = { title: '', cells: 10, runs: [50, 50], draw: passRates(1) }
  const observations = Array.from({ length: 500 }, (_, run) => ({
    cell: String(run % 10),
    value: world.draw(random, 0, true),
  }))
  compareGroups(observations, observations)
  const start = performance.now()
  for (let time = 0; time < 5; time += 1) compareGroups(observations, observations.toReversed(), { seed: time })
  const milliseconds = (performance.now() - start) / 5
  console.info(`2 × 500 runs: ${milliseconds.toFixed(1)} ms`)
  expect(milliseconds).toBeLessThan(200)
})
