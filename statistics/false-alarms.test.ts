import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { atLength } from '#tools/test-length.ts'
import { type Comparison, compareGroups } from './compare-groups.ts'
import { ellipseOfMean } from './covariance-ellipse.ts'
import { morePrompts } from './more-prompts.ts'
import { moreRepeats } from './more-repeats.ts'
import { meanOf, varianceOf } from './moments.ts'
import { seededRandom } from './seeded-random.ts'
import {
  type Scenario,
  simulateComparison,
  simulateOverPrompts,
  sampleNormal,
  passRates,
  promptScenarios,
  runOfTests,
  scenarios,
} from './simulated-scenarios.ts'
import { tailOfT } from './student.ts'

/** Of half of these trials in `npm test`, within the same bounds. */
function shareOf(wholeTrials: number, isHit: () => boolean) {
  const trials = atLength(wholeTrials / 2, wholeTrials)
  return Array.from({ length: trials }, isHit).filter(Boolean).length / trials
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

const isResolved = ({ verdict }: Comparison) => verdict === 'differs'

test('equal groups are called different in at most 7 of 100 experiments, even with few or skewed runs', () => {
  const rates = scenarios.map((scenario) => {
    const random = seededRandom(11)
    return { scenario, rate: shareOf(800, () => isResolved(simulateComparison(random, scenario))) }
  })
  for (const { scenario, rate } of rates) console.info(`false alarms, ${scenario.title}: ${percent(rate)}`)
  for (const { scenario, rate } of rates) expect(rate, scenario.title).toBeLessThanOrEqual(0.07)
}, 240_000)

test('with randomly drawn prompts, equal groups differ on prompts like these in at most 7 of 100 experiments', () => {
  const rates = promptScenarios.map((scenario) => {
    const random = seededRandom(21)
    return {
      scenario,
      rate: shareOf(600, () => isResolved(simulateOverPrompts(random, scenario, 'prompts like these'))),
    }
  })
  for (const { scenario, rate } of rates)
    console.info(`false alarms, prompts like these, ${scenario.title}: ${percent(rate)}`)
  for (const { scenario, rate } of rates) expect(rate, scenario.title).toBeLessThanOrEqual(0.07)
}, 240_000)

test('with the prompts fixed, the same data calls equal groups different at least three times as often as allowed', () => {
  for (const scenario of promptScenarios.slice(0, 3)) {
    const random = seededRandom(22)
    const rate = shareOf(800, () => isResolved(simulateOverPrompts(random, scenario, 'these prompts')))
    console.info(`false alarms, these prompts, ${scenario.title}: ${percent(rate)}`)
    expect(rate, scenario.title).toBeGreaterThan(0.15)
  }
}, 240_000)

test('on prompts like these about 95 % of the intervals contain the true difference', () => {
  const random = seededRandom(23)
  const runs = (lead: () => number) =>
    Array.from({ length: 12 }, (_, place) => {
      const mean = lead()
      return [1, 2, 3].map(() => ({ cell: String(place), prompt: String(place), value: mean + sampleNormal(random) }))
    }).flat()
  const holds = shareOf(1000, () => {
    const { interval } = compareGroups(
      runs(() => 0.4 + sampleNormal(random)),
      runs(() => 0),
    )
    return interval !== null && interval.low <= 0.4 && interval.high >= 0.4
  })
  console.info(`95 % intervals of prompts like these that hold the truth: ${percent(holds)}`)
  expect(holds).toBeGreaterThanOrEqual(0.93)
})

test('the suggested number of prompts resolves a difference in about 80 of 100 experiments', () => {
  const random = seededRandom(24)
  const group = (values: number[]) =>
    values.map((value, place) => ({ cell: String(place), prompt: String(place), value }))
  // Differences with exactly this mean and spread, so that the plan and the simulation use the same values.
  const spread = [-1.5, -0.5, 0.5, 1.5, -1.5, -0.5, 0.5, 1.5].map((value) => value / Math.sqrt(10 / 7))
  const few = compareGroups(group(spread.map((value) => value + 0.5)), group(spread.map(() => 0)))
  const more = morePrompts(few)
  const size = more.kind === 'prompts' ? 8 + more.prompts : 0
  const found = shareOf(1000, () => {
    const drawn = Array.from({ length: size }, () => 0.5 + sampleNormal(random))
    return isResolved(compareGroups(group(drawn), group(drawn.map(() => 0))))
  })
  console.info(`${size} prompts resolve 0.5 standard deviations in ${percent(found)} of experiments`)
  expect(found).toBeGreaterThan(0.74)
  expect(found).toBeLessThan(0.86)
})

test('a true difference is found more often when runs are paired by cell', () => {
  const random = seededRandom(12)
  const scenario: Scenario = { title: '', cells: 6, runs: [4, 4], draw: passRates(1) }
  // Cells differ in difficulty, which unpaired runs count as their own spread.
  const unpaired: Scenario = {
    ...scenario,
    cells: 1,
    runs: [24, 24],
    draw: (random, _cell) => passRates(1)(random, Math.floor(random() * 4)),
  }
  const paired = shareOf(500, () => isResolved(simulateComparison(random, scenario, 0.12)))
  const alone = shareOf(500, () => isResolved(simulateComparison(random, unpaired, 0.12)))
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
  const scenario: Scenario = {
    title: '',
    cells: 1,
    runs: [12, 12],
    draw: (random) => meanOf(runOfTests(random, { ease: 0, togetherness: 0.75 })),
  }
  const ours = shareOf(1000, () => isResolved(simulateComparison(random, scenario)))
  console.info(`false alarms of equal groups: tests pooled ${percent(rate)}, runs compared ${percent(ours)}`)
  expect(rate).toBeGreaterThan(0.2)
  expect(ours).toBeLessThanOrEqual(0.07)
})

test('the interval contains the true difference in about 95 of 100 experiments', () => {
  const random = seededRandom(14)
  const scenario: Scenario = { title: '', cells: 4, runs: [5, 5], draw: passRates(1) }
  const holds = shareOf(1000, () => {
    const { interval } = simulateComparison(random, scenario, 0.2)
    return interval !== null && interval.low <= 0.2 && interval.high >= 0.2
  })
  console.info(`95 % intervals that hold the truth: ${percent(holds)}`)
  expect(holds).toBeGreaterThanOrEqual(0.93)
})

test('the suggested number of repeats resolves a difference in about 80 of 100 experiments', () => {
  const random = seededRandom(15)
  const draw = (isLeft: boolean) => sampleNormal(random) + (isLeft ? 0.6 : 0)
  // Runs with exactly this mean and spread, so that the plan and the simulation use the same values.
  const group = (shift: number) =>
    [-1.5, -0.5, 0.5, 1.5].map((value) => ({ cell: '', value: value * Math.sqrt(3 / 5) + shift }))
  const more = moreRepeats(compareGroups(group(0.6), group(0)))
  const repeats = more.kind === 'repeats' ? more.repeats : 0
  const scenario: Scenario = {
    title: '',
    cells: 1,
    runs: [4 + repeats, 4 + repeats],
    draw: (_random, _cell, isLeft) => draw(isLeft),
  }
  const found = shareOf(600, () => isResolved(simulateComparison(random, scenario)))
  console.info(`${repeats} more repeats resolve 0.6 standard deviations in ${percent(found)} of experiments`)
  expect(found).toBeGreaterThan(0.74)
  expect(found).toBeLessThan(0.86)
})

test('the ellipse over prompts holds the true means in about 95 of 100 samples, unlike one over runs', () => {
  const random = seededRandom(16)
  const samples = atLength(1500, 10_000)
  let [overPrompts, overRuns] = [0, 0]
  for (let sample = 0; sample < samples; sample += 1) {
    // Ten prompts with five runs each: easy prompts are also cheap.
    const prompts = Array.from({ length: 10 }, () => {
      const [shared, own] = [sampleNormal(random), sampleNormal(random)]
      return Array.from({ length: 5 }, () => ({
        x: shared + own + sampleNormal(random),
        y: sampleNormal(random) - shared,
      }))
    })
    const means = prompts.map((runs) => ({ x: meanOf(runs.map(({ x }) => x)), y: meanOf(runs.map(({ y }) => y)) }))
    if (holdsZero(means)) overPrompts += 1
    if (holdsZero(prompts.flat())) overRuns += 1
  }
  console.info(
    `95 % ellipses that hold the true means: ${percent(overPrompts / samples)} over prompts, ${percent(overRuns / samples)} over runs`,
  )
  expect(overPrompts / samples).toBeGreaterThan(0.93)
  expect(overPrompts / samples).toBeLessThan(0.97)
  expect(overRuns / samples).toBeLessThan(0.8)
})

function holdsZero(points: readonly { x: number; y: number }[]) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const mean = { x: meanOf(xs), y: meanOf(ys) }
  const covariance = points.reduce((sum, { x, y }) => sum + (x - mean.x) * (y - mean.y), 0) / (points.length - 1)
  const spread = { n: points.length, mean, varianceX: varianceOf(xs), varianceY: varianceOf(ys), covariance }
  const ellipse = ellipseOfMean(spread)
  if (!ellipse) return false
  const { angle, halfAxes } = ellipse
  const along = -mean.x * Math.cos(angle) - mean.y * Math.sin(angle)
  const across = mean.x * Math.sin(angle) - mean.y * Math.cos(angle)
  return (along / halfAxes[0]) ** 2 + (across / halfAxes[1]) ** 2 <= 1
}

test('the time to compare two groups grows with the number of their runs', async () => {
  const random = seededRandom(17)
  const scenario: Scenario = { title: '', cells: 10, runs: [50, 50], draw: passRates(1) }
  const observations = Array.from({ length: 4000 }, (_, run) => ({
    cell: String(run % 10),
    value: scenario.draw(random, 0, true),
  }))
  await expectLinear((runs) => {
    const group = observations.slice(0, runs)
    compareGroups(group, group.toReversed())
  }, 4000)
})
