import { expect, test } from 'vitest'

import { checkText } from '#src/editor/check-text.ts'
import { templates } from './templates.ts'

test('a template compares two real coding agents, says what it needs, and has no error or warning', () => {
  const template = templates.find(({ id }) => id === 'coding-agents') ?? expect.unreachable()
  const { definition, problems, warnings } = checkText(template.text)
  expect([problems, warnings]).toEqual([[], []])
  expect(definition?.agents.map(({ preset }) => preset)).toEqual(['claude-code', 'codex'])
  expect(definition?.limits).toMatchObject({ maxTimeSeconds: 600, maxCostUsd: 1 })
  expect(template).toMatchObject({ name: 'Compare two coding agents', shape: expect.stringContaining('2 variants') })
  expect(template.needs).toContain('a key for each model')
})

test('every template is valid and has an id and a name of its own', () => {
  expect(templates.length).toBeGreaterThan(4)
  expect(new Set(templates.map(({ name }) => name)).size).toBe(templates.length)
  for (const { text } of templates) expect(checkText(text).problems).toEqual([])
})
