import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'

import type { Database } from '#platform/ground/database/open-database.ts'
import { recordTests } from './record-tests.ts'

test('tests are inserted a few at a time, and fewer if they printed much', async () => {
  const sizes: number[] = []
  const execute = async (statement: SQL) => {
    const [json = ''] = new PgDialect().sqlToQuery(statement).params.map(String)
    sizes.push(json.length)
    return { rows: [] }
  }
  const tx: Database = Object.create({ execute })
  const test = { name: 't', outcome: 'passed' as const, stderrTail: '' }
  const quiet = Array.from({ length: 350 }, () => ({ ...test, stdoutTail: '' }))
  await recordTests(tx, [{ runId: 'a', tests: quiet }])
  expect(sizes).toHaveLength(4)
  const loud = Array.from({ length: 40 }, () => ({ ...test, stdoutTail: 'x'.repeat(64 * 1024) }))
  await recordTests(tx, [{ runId: 'b', tests: loud }])
  expect(sizes).toHaveLength(14)
  expect(Math.max(...sizes)).toBeLessThan(400 * 1024)
})
