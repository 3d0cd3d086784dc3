import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { isRowOfRuns } from './rows-of-runs.ts'

/** The engine's limit of a statement. */
const maxStatementBytes = 256 * 1024

test('a condition for 4,000 runs fits in a statement, and calls no function for each run', () => {
  const organizationId = randomUUID()
  const condition = isRowOfRuns(
    organizationId,
    Array.from({ length: 4000 }, () => randomUUID()),
  )
  expect(condition.length).toBeLessThan(maxStatementBytes * 0.9)
  expect(condition.split('(').length - 1).toBe(2)
})

test('a condition with a text that is no id is refused', () => {
  expect(() => isRowOfRuns(randomUUID(), ["x') OR 1 = 1 --"])).toThrow('Not the ids')
})
