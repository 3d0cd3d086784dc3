import { expect, test } from 'vitest'

import { choicesOf } from './filter-choices.ts'

const none = { agents: [], agentModes: [], models: [], products: [], environments: [], prompts: [] }

test('the filter offers each value of all experiments once, sorted', () => {
  const { axes, experiments } = choicesOf([
    { id: 'e2', name: 'Second', axes: { ...none, agents: ['b', 'a'], models: ['m'] } },
    { id: 'e1', name: 'First', axes: { ...none, agents: ['a'] } },
  ])
  expect(axes).toEqual({ ...none, agents: ['a', 'b'], models: ['m'] })
  expect(experiments.get('e1')).toBe('First')
})
