import { expect, test } from 'vitest'

import { toTasks } from './to-tasks.ts'

test('the most telling prompt comes first, and prompts that every or no run solved are named', () => {
  const group = (tallies: Record<string, readonly [solved: number, runs: number]>) => ({
    prompts: new Map(Object.entries(tallies).map(([prompt, [solved, runs]]) => [prompt, { solved, runs }])),
  })
  const tasks = toTasks([
    group({ always: [5, 5], never: [0, 5], telling: [5, 5], once: [1, 2] }),
    group({ always: [5, 5], never: [0, 5], telling: [2, 5] }),
    group({ always: [1, 1], never: [0, 5], telling: [0, 5] }),
  ])
  expect(tasks[0]?.prompt).toBe('telling')
  expect(
    tasks
      .toSorted((a, b) => (a.prompt < b.prompt ? -1 : 1))
      .map(({ prompt, groups, runs, solved, isAlike }) => [prompt, groups, runs, solved, isAlike]),
  ).toEqual([
    ['always', 3, 11, 1, 'all'],
    ['never', 3, 15, 0, 'none'],
    ['once', 1, 2, 0.5, null],
    ['telling', 3, 15, expect.closeTo(1.4 / 3, 12), null],
  ])
})
