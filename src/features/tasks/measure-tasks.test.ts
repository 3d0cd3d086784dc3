import { expect, test } from 'vitest'

import { measureTasks } from './measure-tasks.ts'

const group = (name: string, tallies: Record<string, readonly [solved: number, runs: number]>) => ({
  group: name,
  label: name,
  prompts: new Map(Object.entries(tallies).map(([prompt, [solved, runs]]) => [prompt, { solved, runs }])),
})

test('the most telling task comes first, and tasks that every or no run solved are named', () => {
  const tasks = measureTasks([
    group('strong', { always: [5, 5], never: [0, 5], telling: [5, 5], once: [1, 2] }),
    group('middle', { always: [5, 5], never: [0, 5], telling: [2, 5] }),
    group('weak', { always: [1, 1], never: [0, 5], telling: [0, 5] }),
  ])
  expect(tasks[0]?.prompt).toBe('telling')
  expect(
    tasks
      .toSorted((a, b) => (a.prompt < b.prompt ? -1 : 1))
      .map(({ prompt, groups, runs, failed, solved, isAlike }) => [
        prompt,
        groups.length,
        runs,
        failed,
        solved,
        isAlike,
      ]),
  ).toEqual([
    ['always', 3, 11, 0, 1, 'all'],
    ['never', 3, 15, 15, 0, 'none'],
    ['once', 1, 2, 1, 0.5, null],
    ['telling', 3, 15, 8, expect.closeTo(1.4 / 3, 12), null],
  ])
})

test('a task that every or no run solved has no discrimination, because its runs say nothing about it', () => {
  const tasks = measureTasks([
    group('strong', { always: [5, 5], never: [0, 5], telling: [5, 5] }),
    group('weak', { always: [5, 5], never: [0, 5], telling: [1, 5] }),
  ])
  expect(Object.fromEntries(tasks.map(({ prompt, discrimination }) => [prompt, discrimination]))).toEqual({
    always: null,
    never: null,
    telling: expect.any(Number),
  })
})

test('each group that ran a task has its rate there with an interval', () => {
  const [task] = measureTasks([group('strong', { only: [4, 5] }), group('absent', {})])
  expect(task?.groups.map(({ label, solved, runs }) => [label, solved, runs])).toEqual([['strong', 4, 5]])
  // Wilson's interval of 4 of 5 is 37.55 % to 96.38 %.
  expect(task?.groups[0]?.rate).toEqual({
    share: 0.8,
    runs: 5,
    interval: { low: expect.closeTo(0.3755, 4), high: expect.closeTo(0.9638, 4) },
  })
})
