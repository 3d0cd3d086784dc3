import { expect, test } from 'vitest'

import { losesAny } from './LosesLink.tsx'

const groupOf = (solved: Record<string, number>) => ({
  group: 'a',
  prompts: new Map(Object.entries(solved).map(([prompt, count]) => [prompt, { runs: 2, solved: count }])),
})

test('a group loses only where the other solves a prompt that both ran more often', () => {
  expect(losesAny(groupOf({ one: 2, two: 0 }), groupOf({ one: 0, two: 1 }))).toBe(true)
  expect(losesAny(groupOf({ one: 0, two: 0 }), groupOf({ one: 0, two: 0 }))).toBe(false)
  expect(losesAny(groupOf({ one: 2, two: 1 }), groupOf({ one: 1, two: 1 }))).toBe(false)
  expect(losesAny(groupOf({ one: 0, three: 1 }), groupOf({ one: 2, two: 2 }))).toBe(false)
})
