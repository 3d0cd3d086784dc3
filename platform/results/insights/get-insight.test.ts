import { afterAll, beforeAll, expect, test } from 'vitest'

import { compositeRunId } from '#contract/wire/run-id.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { addFinishedRun } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const sql = 'SELECT variant_id, count() AS n FROM runs GROUP BY variant_id ORDER BY variant_id'
const ids = ['1', '2', '3', '4'].map((digit) => `01a1f9ba-f390-75df-8669-b25323993f4${digit}`)

let stranger: string
const platform = await openTestPlatform()
beforeAll(async () => {
  await createOrganization(platform.services, { slug: 'elsewhere' })
  stranger = await platform.newKey({ organizations: ['elsewhere'] })
  for (const id of ['one', 'two']) await platform.request('POST', '/experiments', { yaml: twoByTwo(id) })
  for (const [index, experimentId] of ['one', 'one', 'two'].entries()) await finish(experimentId, index)
  await project()
})
afterAll(() => platform.close())

async function finish(experimentId: string, index: number, facts: { testAware?: boolean } = {}) {
  const { actor } = (await platform.request('GET', '/whoami')).json
  const run = { experimentId, id: ids[index], variantId: `v${index}`, triggeredBy: actor.id, outcomes: {}, ...facts }
  await addFinishedRun(platform.services.db, { organizationId: platform.organization.id, ...run })
}
const project = () => projectRuns(platform.services, platform.organization.id)

const save = async (body: object) =>
  (await platform.request('POST', '/insights', { body: { sql, ...body } })).json.insight
const view = (reference: string, query = '', key?: string) =>
  platform.request('GET', `/insights/${encodeURIComponent(reference)}${query}`, { ...(key && { key }) })

test('an insight executes its stored SQL live, by id or slug, and returns columns and rows', async () => {
  const { id } = await save({ heading: 'Live', includeTestAware: true })
  const { status, json } = await view(id)
  expect(status).toBe(200)
  expect(json).toMatchObject({ sql, insight: { id, slug: 'live' }, truncated: false, rowCount: 3 })
  expect(json.columns.map(({ name }: { name: string }) => name)).toEqual(['variant_id', 'n'])
  expect(json.rows).toEqual([
    ['v0', 1],
    ['v1', 1],
    ['v2', 1],
  ])
  expect(Date.parse(json.asOf)).toBeGreaterThan(Date.now() - 60_000)
  await finish('two', 3, { testAware: true })
  await project()
  expect((await view('live')).json.rows).toHaveLength(4)
})

test('the scope of an insight is its provenance, an experiment or one run, with test-aware runs only on request', async () => {
  const ofOne = await save({ heading: 'Of one', provenance: { kind: 'experiment', experimentId: 'one' } })
  expect((await view(ofOne.id)).json.rows).toEqual([
    ['v0', 1],
    ['v1', 1],
  ])
  const ofRun = await save({
    heading: 'Of a run',
    provenance: { kind: 'run', runId: compositeRunId('v2', ids[2] ?? '') },
  })
  expect((await view(ofRun.id)).json.rows).toEqual([['v2', 1]])
  const unaware = await save({ heading: 'Unaware', provenance: { kind: 'experiment', experimentId: 'two' } })
  expect((await view(unaware.id)).json.rows).toEqual([['v2', 1]])
})

test('sql_only, or sqlOnly, returns metadata and SQL and executes nothing', async () => {
  const { id } = await save({ heading: 'Only SQL' })
  for (const query of ['?sql_only=true', '?sqlOnly=true']) {
    const { json } = await view(id, query)
    expect(Object.keys(json).sort()).toEqual(['insight', 'sql'])
  }
  expect((await view(id, '?sql_only=false')).json.rows).toBeDefined()
})

test('a result has at most `limit` rows, 10,000 by default, and says when it is truncated', async () => {
  const many = await save({
    heading: 'Many',
    sql: 'SELECT arrayJoin(range(20000)) AS number FROM runs LIMIT 20000',
    includeTestAware: true,
  })
  const count = async (query: string) => {
    const { json } = await view(many.id, query)
    return [json.rows.length, json.truncated]
  }
  expect(await count('')).toEqual([10_000, true])
  expect(await count('?limit=7')).toEqual([7, true])
  expect(await count('?limit=10000')).toEqual([10_000, true])
})

test.each(['?limit=0', '?limit=10001', '?limit=x', '?sql_only=maybe'])(
  '400 invalid_argument for the insight query %s',
  async (query) => {
    const { slug } = await save({ heading: 'Bad query' })
    const { status, json } = await view(slug, query)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  },
)

test("404 not_found for an unknown insight, and for another organization's id or slug", async () => {
  const { id, slug } = await save({ heading: 'Ours alone' })
  for (const [reference, key] of [
    ['nowhere'],
    ['ins_nothing'],
    ['chart:one'],
    [id, stranger],
    [slug, stranger],
    ['chart:one:tests', stranger],
  ]) {
    const { status, json } = await view(reference ?? '', '', key)
    expect([status, json.error]).toEqual([404, 'not_found'])
  }
})

test('a legacy insight cannot be viewed or shared, with a reason; its metadata and SQL can be read', async () => {
  const { id } = await save({ heading: 'Retired', sql: 'SELECT * FROM results', dataSchema: 'legacy' })
  const share = () => platform.request('POST', `/insights/${id}/share`, { body: {} })
  for (const { status, json } of [await view(id), await share()]) {
    expect([status, json.error]).toEqual([412, 'failed_precondition'])
    expect(json.message).toMatch(/retired data pipeline.*Fork/)
  }
  expect((await view(id, '?sql_only=true')).json).toMatchObject({
    sql: 'SELECT * FROM results',
    insight: { dataSchema: 'legacy' },
  })
})

test('a built-in chart returns its metadata, each value a JSON string, and accepts no limit', async () => {
  for (const kind of ['tests', 'scatter', 'metric']) {
    const { json } = await view(`chart:one:${kind}`)
    expect(Object.keys(json)).toEqual(['insight'])
    expect(json.insight).toMatchObject({ type: 'chart', chartKind: kind, reference: `chart:one:${kind}` })
    for (const field of ['parameterSchemaJson', 'responseSchemaJson', 'availableValuesJson'])
      expect(JSON.parse(json.insight[field])).toBeTypeOf('object')
  }
  const limited = await view('chart:one:tests', '?limit=5')
  expect([limited.status, limited.json.error]).toEqual([400, 'invalid_argument'])
  expect((await view('chart:nobody:tests')).status).toBe(404)
})

test('POST …/execute refuses a saved query and names the right call; a missing chart is not found', async () => {
  const execute = (reference: string) =>
    platform.request('POST', `/insights/${encodeURIComponent(reference)}/execute`, { body: {} })
  const { slug } = await save({ heading: 'Not a chart' })
  const refused = await execute(slug)
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('GET /insights/ins_')])
  expect((await execute('nowhere')).status).toBe(404)
  expect((await execute('chart:one:tests')).json).toMatchObject({ chartKind: 'tests', resultView: 'summary' })
})
