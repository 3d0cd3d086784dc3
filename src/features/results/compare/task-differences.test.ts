import { expect, test } from 'vitest'

import type { ChartRun } from '#contract/chart-runs.ts'
import { ChartParameters, type HeatmapCell } from '#contract/charts.ts'
import { noOutcomes } from '#contract/outcomes.ts'
import { differingTests, testsOfSide } from './differing-tests.ts'
import { compareTasks, taskSentence } from './task-differences.ts'

type Given = { status?: ChartRun['status']; solved: 0 | 1 | null }

const runsOf = (side: string, prompt: string | null, ...given: readonly Given[]) =>
  given.map(
    ({ status = 'completed', solved }, place) =>
      ({ id: `${side}~${prompt}::${place}`, prompt, status, metrics: { solved } }) as ChartRun,
  )

const [solved, failed] = [{ solved: 1 }, { solved: 0 }] as const

const strong = [
  ...runsOf('strong', 'easy', solved, solved),
  ...runsOf('strong', 'odd', { solved: 0, status: 'errored' }, failed),
  ...runsOf('strong', 'hard', solved, failed, { solved: null, status: 'canceled' }),
  ...runsOf('strong', 'long', solved, failed),
  ...runsOf('strong', 'new', failed),
  ...runsOf('strong', null, failed),
]
const weak = [
  ...runsOf('weak', 'easy', failed, failed),
  ...runsOf('weak', 'odd', solved),
  ...runsOf('weak', 'hard', failed, failed),
  ...runsOf('weak', 'long', solved, failed),
]

test('the tasks that the better side loses come first, whichever side it is on', () => {
  for (const { sides, leads } of [
    { sides: { left: strong, right: weak }, leads: 'left' },
    { sides: { left: weak, right: strong }, leads: 'right' },
  ]) {
    const comparison = compareTasks(sides)
    expect(comparison.leads).toBe(leads)
    expect(comparison.tasks.map(({ task, difference }) => [task, difference])).toEqual([
      ['odd', -1],
      ['long', 0],
      ['hard', 0.5],
      ['easy', 1],
    ])
    expect(comparison.tasks[2]).toMatchObject({ leader: { runs: 2, solved: 1 }, other: { runs: 2, solved: 0 } })
    expect(taskSentence(comparison, 'strong')).toBe(
      'strong loses on 1 of 4 prompts, wins on 2 and ties on 1. 1 that only one side ran is excluded.',
    )
  }
})

test('the evidence of a task is a failed run of the side that lost it, with tests if there is one; a tie has none', () => {
  const evidence = compareTasks({ left: strong, right: weak }).tasks.map(
    ({ loser }) => loser && [loser.side, loser.run.id],
  )
  expect(evidence).toEqual([['leader', 'strong~odd::1'], null, ['other', 'weak~hard::0'], ['other', 'weak~easy::0']])
})

const cell = (name: string, passed: number, failures: number): HeatmapCell => ({
  ...noOutcomes,
  group: 'g',
  test: name,
  passed,
  failed: failures,
})

test('the tests that differ are those that the side with more solved runs passes more often, the largest first', () => {
  const leader = [cell('same', 1, 1), cell('some', 1, 4), cell('all', 0, 5), cell('better', 5, 0), cell('own', 0, 5)]
  const other = [cell('same', 2, 2), cell('some', 3, 2), cell('all', 5, 0), cell('better', 0, 5)]
  const found = (difference: number) => differingTests(leader, other, difference).map((one) => one.test)
  expect(found(-0.2)).toEqual(['all', 'some'])
  expect(found(0.2)).toEqual(['better'])
  expect(found(0)).toEqual(['all', 'better', 'some'])
  expect(differingTests(leader, other, -1)[0]).toEqual({
    test: 'all',
    leader: { passed: 0, counted: 5 },
    other: { passed: 5, counted: 5 },
  })
})

test('the tests of all tasks of two groups are one chart, and of two versions one each', () => {
  const parameters = ChartParameters.parse({ groupBy: 'agent~model', version: 'f1', environments: ['linux'] })
  const names = { left: 'droid~opus', right: 'ob1~opus' }
  const side = (name: 'left' | 'right') => testsOfSide(parameters, { compared: 'agent~model' }, names, name)
  expect(side('left').parameters).toEqual(side('right').parameters)
  expect(side('left').parameters).toMatchObject({
    groupBy: 'agent~model~prompt',
    version: 'f1',
    agents: ['droid', 'ob1'],
    models: ['opus'],
    environments: ['linux'],
  })
  expect(side('right').groupOf('task-1')).toBe('ob1~opus~task-1')
  const ofVersion = testsOfSide(parameters, { compared: 'version' }, { left: 'f2', right: 'f1' }, 'left')
  expect(ofVersion.parameters).toMatchObject({ groupBy: 'prompt', version: 'f2' })
  expect(ofVersion.groupOf('task-1')).toBe('task-1')
})
