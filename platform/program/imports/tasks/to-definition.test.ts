import { expect, test } from 'vitest'

import { describeReceipt } from './describe-receipt.ts'
import { leavesOutOracle, maxExcluded, type TaskWithParts, toDefinition } from './to-definition.ts'

const task = (id: string, hasSolution: boolean): TaskWithParts => ({
  id,
  place: id,
  format: 'harbor',
  wordings: [id],
  hasSolution,
  notes: [],
  parts: null,
})

const some = (count: number) => [
  task('solved', true),
  ...Array.from({ length: count }, (_, index) => task(`open-${index}`, false)),
]
const wanted = { experimentId: 'e', name: 'E', withNothing: false }

test.each([
  [maxExcluded, ['oracle'], false],
  [maxExcluded + 1, ['nothing'], true],
])('with %i tasks without a solution the agents are %j', (count, agents, isLeftOut) => {
  const tasks = some(count)
  expect(toDefinition(tasks, wanted, null).agents.map(({ id }) => id)).toEqual(agents)
  expect(leavesOutOracle(tasks)).toBe(isLeftOut)
})

test('the report of an import says if it left the agent oracle out', () => {
  const receipt = { experimentId: 'e', ordinal: 1, created: true, tasks: 2002, withSolution: 1, skipped: [], notes: [] }
  const said = (withoutOracle: boolean) => describeReceipt({ ...receipt, withoutOracle }).join('\n')
  expect(said(true)).toContain('The agent oracle is left out, because more than 2,000 prompts have no solution')
  expect(said(false)).not.toContain('oracle')
})
