import { afterAll, beforeAll, expect, test } from 'vitest'

import { columnsOf } from '#platform/analysis/analytics/create-tables.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { analyticsFunctions } from '#contract/sql-functions.ts'
import { analyticsTables } from '#contract/sql-tables.ts'

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  await addVersion(services.db, { organizationId: organization.id, experimentId: 'e', ordinal: 1 })
})
afterAll(() => platform.close())

test('the query page documents exactly the engine’s tables and columns, in the same order', async () => {
  expect(analyticsTables.map(({ name }) => name)).toEqual(Object.keys(columnsOf))
  for (const { name, columns } of analyticsTables) {
    const body = { sql: `SELECT * FROM ${name}`, dryRun: true }
    const { json } = await platform.request('POST', '/experiments/e/query', { body })
    expect(columns.map(({ name, type }) => ({ name, type }))).toEqual(json.columns)
    expect(columns.filter(({ says }) => says === '')).toEqual([])
  }
})

test('every function on the query page can run as in its example', async () => {
  const refused: string[] = []
  for (const { example } of analyticsFunctions) {
    const body = { sql: `SELECT ${example} FROM runs`, dryRun: true }
    const { status, json } = await platform.request('POST', '/experiments/e/query', { body })
    if (status !== 200) refused.push(`${example}: ${json.message}`)
  }
  expect(refused).toEqual([])
})
