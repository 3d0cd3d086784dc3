import { expect, test } from 'vitest'

import { defaultGrouping, groupingChoices } from './groupings.ts'

const places = ['one', 'two']
const axes = { agents: ['a', 'b'], agentModes: [], models: [], products: [], environments: places, prompts: places }
const variantsIn = (pairs: readonly (readonly [string | null, string])[]) =>
  pairs.map(([prompt, environment]) => ({ prompt, environment }))

test('groups differ in the environment where a prompt runs in several', () => {
  const crossed = places.flatMap((prompt) => places.map((place) => [prompt, place] as const))
  expect(defaultGrouping({ axes, variants: variantsIn(crossed) })).toBe('agent~environment')
  const withoutPrompts = { axes: { ...axes, prompts: [] }, variants: variantsIn(places.map((place) => [null, place])) }
  expect(defaultGrouping(withoutPrompts)).toBe('agent~environment')
})

test('an environment that belongs to one prompt is a part of its task, and tells no groups apart', () => {
  const ofTasks = {
    axes,
    variants: variantsIn(places.flatMap((task) => [[task, task] as const, [task, task] as const])),
  }
  expect(defaultGrouping(ofTasks)).toBe('agent')
  expect(groupingChoices(ofTasks, 'agent')).toContain('agent~environment')
  expect(defaultGrouping({ ...ofTasks, axes: { ...axes, agents: ['a'] } })).toBe('agent')
})
