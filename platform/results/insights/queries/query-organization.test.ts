import { afterAll, beforeAll, expect, test } from 'vitest'

import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addOrganization } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const finish = (experimentId: string, facts = {}) =>
    addFinishedRun(services.db, { organizationId: organization.id, experimentId, outcomes: {}, ...facts })
  await finish('e')
  await finish('e')
  await finish('e', { testAware: true })
  await finish('other')
  const strangers = await addOrganization(services.db)
  await addFinishedRun(services.db, { organizationId: strangers, experimentId: 'secret', outcomes: {} })
  for (const id of [organization.id, strangers]) await projectRuns(services, id)
})
afterAll(() => platform.close())

const query = (body: object) => platform.request('POST', '/query', { body })

test('POST /query reads every experiment of the organization, and no other organization', async () => {
  const sql = 'SELECT DISTINCT experiment_id FROM runs ORDER BY experiment_id'
  const { status, json } = await query({ sql })
  expect([status, json.rows]).toEqual([200, [['e'], ['other']]])
  expect((await query({ sql: json.compiledSql })).json.rows).toEqual(json.rows)
  const count = { sql: 'SELECT count() FROM runs' }
  expect((await query(count)).json.rows).toEqual([[3]])
  expect((await query({ ...count, include_test_aware: true })).json.rows).toEqual([[4]])
  expect((await query({ ...count, dryRun: true })).json).toMatchObject({
    rows: [],
    estimate: { rows: expect.any(Number) },
  })
})

test('POST /query has the limits and refusals of the other query routes, and saves an insight without provenance', async () => {
  const numbers = { sql: 'SELECT number FROM numbers(20000)' }
  expect((await query(numbers)).json).toMatchObject({ rowCount: 100, truncated: true })
  for (const body of [
    {},
    { sql: ' ' },
    { ...numbers, limit: 10_001 },
    { sql: 'SELECT * FROM system.tables' },
    { sql: 'SELECT 1; SELECT 2' },
    { sql: 'SELECT 1', dryRun: true, saveInsight: { heading: 'x' } },
  ])
    expect((await query(body)).json.error).toBe('invalid_argument')
  const { json } = await query({ sql: 'SELECT 7 AS n', save: { heading: 'Of all' } })
  const saved = (await platform.request('GET', `/insights/${json.savedInsight.id}`)).json
  expect([saved.insight.provenance, saved.rows]).toEqual([{ kind: 'none' }, [[7]]])
})
