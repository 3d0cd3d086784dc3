import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTestAnalytics } from '#platform/program/testing/test-analytics.ts'
import { legitimateCounts } from '#platform/program/testing/hostile-sql/legitimate-counts.ts'
import { legitimateShapes } from '#platform/program/testing/hostile-sql/legitimate-shapes.ts'
import {
  insertOurs,
  insertOutOfScope,
  insertTheirs,
  ours,
} from '#platform/program/testing/hostile-sql/two-organizations.ts'
import { checkScopedSql, runScopedSql } from './run-scoped-sql.ts'

const { analytics: crowded, close: closeCrowded } = await openTestAnalytics()
const { analytics: alone, close: closeAlone } = await openTestAnalytics()
const scope = { kind: 'experiment', experimentId: ours.experimentId } as const
const scoped = { organizationId: ours.organizationId, scope, limit: 10_000, includeTestAware: false }

beforeAll(async () => {
  await insertOurs(alone)
  await insertOurs(crowded)
  await insertOutOfScope(crowded)
  await insertTheirs(crowded, ours.organizationId)
})
afterAll(async () => {
  await Promise.all([closeCrowded(), closeAlone()])
})

const atOnce = 40

/**
 * Returns how many rows each statement has without a scope, over data where a scope would hide nothing. Of a statement whose
 * columns nobody reads, `count()` evaluates less.
 */
async function countAlone(statements: string[]) {
  const counts: unknown[] = []
  for (let from = 0; from < statements.length; from += atOnce) {
    const parts = statements
      .slice(from, from + atOnce)
      .map(
        (sql, at) =>
          `SELECT ${at} AS at, toUInt32(length(groupArray(tuple(*)))) AS n FROM (${sql.replace(/;\s*$/, '')}\n)`,
      )
    const rows = await alone.query(ours.organizationId, `SELECT n FROM (${parts.join(' UNION ALL ')}) ORDER BY at`)
    counts.push(...rows.map(({ n }) => n))
  }
  return counts
}

const all = [...legitimateCounts, ...legitimateShapes]

async function answerOf(sql: string) {
  const { table, compiledSql } = await runScopedSql({ analytics: crowded }, { ...scoped, sql })
  return { ...table.read(), compiledSql }
}

/** The answers to the statements, asked once. */
const answers = new Map<string, ReturnType<typeof answerOf>>()
function answered(sql: string) {
  const answer = answers.get(sql) ?? answerOf(sql)
  answers.set(sql, answer)
  return answer
}

test('every legitimate statement returns the same with a scope as on an engine with only that scope’s rows', async () => {
  const counts = await countAlone(all)
  let passed = 0
  for (const [index, sql] of all.entries()) {
    const response = await answered(sql).catch((error: unknown) => error)
    expect(response, sql).toMatchObject({ columns: expect.anything(), rowCount: counts[index] })
    passed += 1
  }
  console.log(`legitimate SQL: ${passed} of ${all.length} pass`)
  expect(all.length).toBeGreaterThanOrEqual(200)
})

const deterministic = [
  'SELECT agent, model, avg(pass_rate) AS rate, sum(total_tokens) AS tokens FROM runs GROUP BY agent, model ORDER BY agent, model',
  "SELECT test_name, toUInt32(countIf(outcome = 'passed')) AS passed FROM tests GROUP BY test_name ORDER BY test_name",
  'SELECT r.id AS id, t.test_name AS test FROM runs AS r JOIN tests AS t USING (run_id) ORDER BY id, test',
  'SELECT id, seq, text FROM turns ORDER BY id, seq',
  'SELECT id, toUInt32(row_number() OVER (PARTITION BY agent ORDER BY id)) AS place FROM runs ORDER BY id',
]

test.each(deterministic)('the scope changes no value of %s', async (sql) => {
  const { columns, rows } = await answerOf(sql)
  const expected = await alone.query(ours.organizationId, sql)
  const asObjects = rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))
  expect(asObjects.map((row) => JSON.stringify(row))).toEqual(
    expected.map((row) => JSON.stringify({ ...row, ...('tokens' in row && { tokens: Number(row['tokens']) }) })),
  )
})

test('a dry run returns the columns of the result', async () => {
  for (const sql of all) {
    const { columns } = await answered(sql)
    expect(await checkScopedSql({ analytics: crowded }, { ...scoped, sql }), sql).toMatchObject({ columns })
  }
})

test('a statement formatted by the engine gives the same result, and formatting it again changes nothing', async () => {
  for (const sql of all.filter((_, index) => index % 5 === 0)) {
    const { compiledSql, rowCount } = await answered(sql)
    expect(await answerOf(compiledSql), sql).toMatchObject({ compiledSql, rowCount })
  }
})
