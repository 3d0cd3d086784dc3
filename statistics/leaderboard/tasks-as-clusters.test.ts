import { expect, test } from 'vitest'

import { compareGroups } from '#statistics/compare-groups.ts'
import { covarianceOverTasks } from '#statistics/covariance-over-tasks.ts'
import { ellipseOfMean } from '#statistics/covariance-ellipse.ts'
import { judgeUntilDecided } from '#statistics/stopping/until-decided.ts'
import { morePrompts } from '#statistics/more-prompts.ts'
import { seededRandom } from '#statistics/seeded-random.ts'
import { summarizeSolved } from '#statistics/run-summary.ts'
import { significance } from '#statistics/significance.ts'
import { atLength } from '#tools/test-length.ts'
import { boardOf, groupOf } from './test-boards.ts'
import { costRatio } from './cost-ratio.ts'
import { quantileOf, tailOf } from './independent-board.ts'
import { toBoard } from './leaderboard-rows.ts'
import { pairedDifference } from './paired-difference.ts'
import { passAtK } from './pass-at-k.ts'
import { detectableDifference, estimateVariance } from './plan-power.ts'
import { rateOf } from './rate-interval.ts'
import { relateRows } from './relate-rows.ts'
import { simulateGroups } from './simulated-groups.ts'

const general = 'prompts like these'

/** Solved of four runs, on two variants of each of eight tasks. */
const solvedOfLeft = [2, 2, 3, 2, 1, 1, 2, 1, 3, 3, 1, 0, 2, 2, 1, 2]
const tasks = solvedOfLeft.map((_, prompt) => `task ${Math.floor(prompt / 2)}`)

const board = (named?: (string | null)[]) => ({
  ...boardOf(
    groupOf(
      'left',
      solvedOfLeft.map((solved) => [solved, 4] as const),
    ),
    groupOf(
      'right',
      solvedOfLeft.map(() => [1, 4] as const),
    ),
  ),
  ...(named && { tasks: named }),
})

test('the difference of two groups over eight tasks with two variants each is the one computed by hand', () => {
  const { scope, relation } = toBoard(board(tasks), null)
  // Differences in quarters of 1: 1 1 · 2 1 · 0 0 · 1 0 · 2 2 · 0 −1 · 1 1 · 0 1. Their mean is 12 ÷ 64. The sums of a task’s
  // deviations from it, in eighths: 1 3 −3 −1 5 −5 1 −1, whose squares add up to 72 ÷ 64.
  const standardError = Math.sqrt((8 / 7) * (72 / 64)) / 16
  const pair = relation.between('left', 'right')
  expect(scope).toBe(general)
  expect(pair.difference).toBeCloseTo(12 / 64, 12)
  expect(pair.pValue).toBeCloseTo(tailOf(12 / 64 / standardError, 7), 8)
  expect(pair.interval?.low).toBeCloseTo(12 / 64 - quantileOf(7) * standardError, 8)
  // Without tasks: the deviations of sixteen prompts have the squares 44 ÷ 64.
  const alone = toBoard(board(), null).relation.between('left', 'right')
  expect(alone.difference).toBeCloseTo(12 / 64, 12)
  expect(alone.pValue).toBeCloseTo(tailOf(12 / 64 / Math.sqrt(44 / 64 / 15 / 16), 15), 8)
})

test('a prompt that names no task is its own, also where another prompt names it', () => {
  const ofFirst = Array.from({ length: 16 }, (_, prompt) => (prompt === 3 ? 'prompt 2' : null))
  const together = Array.from({ length: 16 }, (_, prompt) => (prompt === 3 || prompt === 2 ? 'both' : null))
  const pairOf = (named: (string | null)[]) => toBoard(board(named), null).relation.between('left', 'right')
  expect(pairOf(ofFirst)).toEqual(pairOf(together))
  expect(pairOf(ofFirst).pValue).not.toBe(toBoard(board(), null).relation.between('left', 'right').pValue)
})

test('the number of tasks, not of prompts, decides about the scope and whether anything can be shown', () => {
  const ofThree = tasks.map((_, prompt) => `task ${prompt % 3}`)
  expect(toBoard(board(ofThree), null).scope).toBe('these prompts')
  expect(toBoard(board(ofThree), general).relation.between('left', 'right').pValue).toBeNull()
  const ofOne = tasks.map(() => 'the only one')
  expect(toBoard(board(ofOne), general).scope).toBe('these prompts')
  const observed = (value: (prompt: number) => number) =>
    ofThree.map((task, prompt) => ({ cell: `${prompt}`, prompt: `${prompt}`, task, value: value(prompt) }))
  const found = compareGroups(
    observed((prompt) => 0.8 + prompt / 100),
    observed(() => 0.5),
    { scope: general },
  )
  expect(found).toMatchObject({ verdict: 'too few', prompts: { used: 16, tasks: 3 } })
})

test('three identical variants of each task say no more than one of them, in every measure', () => {
  const random = seededRandom(61)
  const [one, other] = simulateGroups(random, { title: '', prompts: 24, runs: 5, strengths: [1, 0], lean: 1 })
  const single = [...(one?.prompts ?? [])].map(([name, left], place) => {
    const right = other?.prompts.get(name) ?? left
    return { name, left, right, cost: 1 + (place % 5), otherCost: 2 + ((place * 3) % 7) }
  })
  const measured = (variants: number) => {
    const all = single.flatMap((prompt) =>
      Array.from({ length: variants }, (_, variant) => ({
        ...prompt,
        name: `${prompt.name} ${variant}`,
        ...(variants > 1 && { task: prompt.name }),
      })),
    )
    const mapOf = <Value>(valueOf: (prompt: (typeof all)[number]) => Value) =>
      new Map(all.map((prompt) => [prompt.name, valueOf(prompt)]))
    const [left, right] = [
      mapOf((prompt) => ({ ...prompt.left, task: prompt.task })),
      mapOf((prompt) => ({ ...prompt.right, task: prompt.task })),
    ]
    const paid = (costOf: (prompt: (typeof all)[number]) => number) =>
      mapOf(({ left: { runs, mean }, task, ...rest }) => {
        const costUsd = costOf({ left: { runs, mean, variance: null }, task, ...rest })
        return { runs, solved: mean, costUsd, costVariance: null, covariance: null, task }
      })
    const observations = (side: 'left' | 'right') =>
      all.map(({ name, task, ...prompt }) => ({ cell: name, prompt: name, task, value: prompt[side].mean }))
    const solved = [...left.values()].map(({ runs, mean, task }) => ({ runs, solved: Math.round(runs * mean), task }))
    const { difference, interval, pValue } = pairedDifference(left, right, general, 1)
    const compared = compareGroups(observations('left'), observations('right'), { scope: general })
    const { looks } = judgeUntilDecided(
      all.map(({ task, ...prompt }) => [
        { ...prompt.left, task },
        { ...prompt.right, task },
      ]),
      'reached',
    )
    const ratio = costRatio(
      paid(({ cost }) => cost),
      paid(({ otherCost }) => otherCost),
      general,
    )
    const plan = { prompts: 20 * variants, tasks: 20, repeats: 5 }
    const spread = covarianceOverTasks(all.map(({ left: { mean }, cost, task }) => ({ x: cost, y: mean, task })))
    const joint = { n: spread.n, varianceX: spread.varianceX ?? 0, varianceY: spread.varianceY ?? 0 }
    return {
      pair: { difference, interval, pValue },
      compared: { difference: compared.difference, interval: compared.interval, pValue: compared.pValue },
      more: morePrompts(compared),
      rate: rateOf([...left.values()], general).interval,
      passAt2: passAtK(solved, 2, general).interval,
      ratio: { ratio: ratio.ratio, interval: ratio.interval, pValue: ratio.pValue },
      look: looks.at(-1)?.adjustedP,
      power: detectableDifference(plan, estimateVariance([left, right])),
      ellipse: ellipseOfMean({
        ...joint,
        mean: { x: spread.meanX ?? 0, y: spread.meanY ?? 0 },
        covariance: spread.covariance ?? 0,
      })?.halfAxes,
    }
  }
  const rounded = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, part: unknown) =>
      typeof part === 'number' ? part.toFixed(9) : part,
    ) as unknown
  expect(rounded(measured(3))).toEqual(rounded(measured(1)))
})

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** A bound that a share of `limit` exceeds in fewer than 1 of 1,000 simulations of this length. */
const atMost = (limit: number, trials: number) => limit + 3.1 * Math.sqrt((limit * (1 - limit)) / trials)

test('with 20 tasks of three variants, 5 of 100 claims are false and 95 of 100 intervals right; with prompts as a sample many more are false', () => {
  const trials = atLength(150, 4000)
  const random = seededRandom(62)
  const world = { title: '', prompts: 60, runs: 5, strengths: [0, 0, 0], lean: 1.5, variants: 3 }
  const found = Array.from({ length: trials }, () => {
    const clustered = simulateGroups(random, world)
    const ignoring = clustered.map(({ group, prompts }) => ({
      group,
      prompts: new Map([...prompts].map(([prompt, { task: _task, ...runs }]) => [prompt, runs])),
    }))
    return [ignoring, clustered].map((groups) => {
      const { between } = relateRows(groups, { scope: general, largest: 1 })
      const pairs = [between('0', '1'), between('0', '2'), between('1', '2')]
      const { interval } = rateOf([...(groups[0]?.prompts.values() ?? [])], general)
      return {
        isFalse: pairs.some(({ adjustedP }) => (adjustedP ?? 1) < significance),
        isPairFalse: (pairs[0]?.pValue ?? 1) < significance,
        // Groups of the strength 0 solve half of all runs.
        holds: interval !== null && interval.low <= 0.5 && interval.high >= 0.5,
      }
    })
  })
  const [before, now] = [0, 1].map((place) => {
    const share = (name: 'isFalse' | 'isPairFalse' | 'holds') =>
      found.filter((each) => each[place]?.[name]).length / trials
    const shares = { claims: share('isFalse'), pairs: share('isPairFalse'), held: share('holds') }
    console.info(
      `20 tasks × 3 variants, ${place === 0 ? 'prompts' : 'tasks'} as the sample: any false claim about 3 groups ${percent(shares.claims)}, about one pair ${percent(shares.pairs)}; 95 % intervals that hold the rate ${percent(shares.held)}`,
    )
    return shares
  })
  expect(now?.claims).toBeLessThanOrEqual(atMost(0.05, trials))
  expect(now?.pairs).toBeLessThanOrEqual(atMost(0.05, trials))
  expect(now?.held).toBeGreaterThanOrEqual(1 - atMost(0.05, trials))
  expect(before?.pairs).toBeGreaterThan(0.15)
  expect(before?.held).toBeLessThan(0.85)
}, 600_000)

test('tasks with very different numbers of variants make at most 6 of 100 claims false', () => {
  const trials = atLength(300, 8000)
  for (const sizes of [
    [20, ...Array.from({ length: 10 }, () => 1)],
    [8, 8, ...Array.from({ length: 8 }, () => 1)],
    [4, 4, 4, 4, 4, 4, 4, 4, ...Array.from({ length: 12 }, () => 1)],
  ]) {
    const random = seededRandom(63)
    let differ = 0
    for (let trial = 0; trial < trials; trial += 1) {
      const groups = ['left', 'right'].map(() => new Map<string, ReturnType<typeof summarizeSolved>>())
      for (const [task, size] of sizes.entries()) {
        const chances = groups.map(() => random())
        for (let variant = 0; variant < size; variant += 1)
          for (const [place, group] of groups.entries()) {
            const solved = Array.from({ length: 4 }, () => random()).filter(
              (draw) => draw < (chances[place] ?? 0),
            ).length
            group.set(`${task} ${variant}`, summarizeSolved({ runs: 4, solved, task: String(task) }))
          }
      }
      const [left = new Map(), right = new Map()] = groups
      if ((pairedDifference(left, right, general, 1).pValue ?? 1) < significance) differ += 1
    }
    console.info(`false differences, tasks with ${sizes.join(', ')} prompts: ${percent(differ / trials)}`)
    expect(differ / trials).toBeLessThanOrEqual(atMost(0.06, trials))
  }
}, 600_000)
