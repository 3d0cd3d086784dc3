import { expect, test } from 'vitest'

import { seededRandom } from '#statistics/seeded-random.ts'
import { sampleNormal } from '#statistics/simulated-scenarios.ts'
import { fitTasks } from './item-response.ts'

/** Groups and tasks drawn from the priors, with so many runs of each. */
function simulate(groups: number, tasks: number, runs: number) {
  const random = seededRandom(39)
  const strengths = Array.from({ length: groups }, () => sampleNormal(random))
  const truth = Array.from({ length: tasks }, (_, task) => ({
    prompt: `task ${task}`,
    b: 1.5 * sampleNormal(random),
    a: Math.exp(0.5 * sampleNormal(random)),
  }))
  const drawn = strengths.map((strength) => ({
    prompts: new Map(
      truth.map(({ prompt, a, b }) => {
        const chance = 1 / (1 + Math.exp(-a * (strength - b)))
        return [
          prompt,
          { runs, solved: Array.from({ length: runs }, random).filter((at) => at < chance).length },
        ] as const
      }),
    ),
  }))
  return { drawn, truth, strengths }
}

function correlation(pairs: readonly (readonly [number, number])[]) {
  const mean = (place: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[place], 0) / pairs.length
  const [x, y] = [mean(0), mean(1)]
  const sum = (of: (pair: readonly [number, number]) => number) => pairs.reduce((total, pair) => total + of(pair), 0)
  return sum(([a, b]) => (a - x) * (b - y)) / Math.sqrt(sum(([a]) => (a - x) ** 2) * sum(([, b]) => (b - y) ** 2))
}

/** Written down again from the documented model, without the code under test. */
function logPosterior(
  groups: ReturnType<typeof simulate>['drawn'],
  strengths: readonly number[],
  tasks: readonly { prompt: string; difficulty: number; discrimination: number }[],
) {
  let sum = 0
  for (const strength of strengths) sum -= strength ** 2 / 2
  for (const { prompt, difficulty, discrimination } of tasks) {
    sum -= (difficulty / 2) ** 2 / 2 + (Math.log(discrimination) / 0.5) ** 2 / 2
    for (const [place, { prompts }] of groups.entries()) {
      const { runs = 0, solved = 0 } = prompts.get(prompt) ?? {}
      const logit = discrimination * ((strengths[place] ?? 0) - difficulty)
      sum -= solved * Math.log1p(Math.exp(-logit)) + (runs - solved) * Math.log1p(Math.exp(logit))
    }
  }
  return sum
}

test('no small change of a difficulty, a discrimination or a strength makes the fit more probable', () => {
  const { drawn } = simulate(6, 12, 4)
  const { tasks, strengths } = fitTasks(drawn)
  const best = logPosterior(drawn, strengths, tasks)
  for (const change of [0.01, -0.01]) {
    for (const place of strengths.keys())
      expect(logPosterior(drawn, strengths.with(place, (strengths[place] ?? 0) + change), tasks)).toBeLessThan(best)
    for (const [place, task] of tasks.entries()) {
      const harder = tasks.with(place, { ...task, difficulty: task.difficulty + change })
      const steeper = tasks.with(place, { ...task, discrimination: task.discrimination * (1 + change) })
      expect(logPosterior(drawn, strengths, harder)).toBeLessThan(best)
      expect(logPosterior(drawn, strengths, steeper)).toBeLessThan(best)
    }
  }
})

test('the fit finds difficulties, and discriminations as far as many groups show them', () => {
  const { drawn, truth, strengths } = simulate(40, 80, 5)
  const fit = fitTasks(drawn)
  const found = new Map(fit.tasks.map((task) => [task.prompt, task]))
  expect(correlation(truth.map(({ prompt, b }) => [b, found.get(prompt)?.difficulty ?? 0]))).toBeGreaterThan(0.95)
  expect(
    correlation(truth.map(({ prompt, a }) => [Math.log(a), Math.log(found.get(prompt)?.discrimination ?? 1)])),
  ).toBeGreaterThan(0.75)
  expect(correlation(strengths.map((strength, place) => [strength, fit.strengths[place] ?? 0]))).toBeGreaterThan(0.97)
})

test('tasks that every group or no group solves tell least, and all parts add up to 1', () => {
  const tallies = (solved: readonly number[]) => ({
    prompts: new Map(solved.map((of, place) => [['always', 'never', 'telling'][place] ?? '', { runs: 5, solved: of }])),
  })
  const { tasks } = fitTasks([tallies([5, 0, 5]), tallies([5, 0, 3]), tallies([5, 0, 0])])
  const [always, never, telling] = tasks.map(({ information }) => information)
  expect(telling).toBeGreaterThan(2 * Math.max(always ?? 1, never ?? 1))
  expect((always ?? 0) + (never ?? 0) + (telling ?? 0)).toBeCloseTo(1, 12)
  expect(tasks[1]?.difficulty).toBeGreaterThan(tasks[0]?.difficulty ?? 9)
})

test('groups that ran different tasks, and none at all, have a fit', () => {
  const fit = fitTasks([
    { prompts: new Map([['a', { runs: 5, solved: 5 }]]) },
    { prompts: new Map([['b', { runs: 5, solved: 0 }]]) },
  ])
  expect(fit.tasks.map(({ prompt }) => prompt)).toEqual(['a', 'b'])
  expect(fit.tasks.every(({ difficulty }) => Number.isFinite(difficulty))).toBe(true)
  expect(fitTasks([])).toEqual({ tasks: [], strengths: [] })
})
